use keiko_shogi::{Game, Outcome};

use super::report::Finished;
use crate::answer::{BestMove, Choice, Info, MateScore, PvEnd, Score};
use crate::command::Go;

/// The answer where there is nothing to search: the game is lost on the spot, the side to move may declare, or it mates
/// at once.
pub(super) fn find(game: &Game, go: &Go) -> Option<Finished> {
    let position = game.position();
    if !position.has_legal_move() {
        return Some(answer(
            MateScore::Loses(Some(1)),
            BestMove::new(Choice::Resign),
            Info { pv_end: Some(PvEnd::Resign), ..Info::default() },
        ));
    }
    if game.can_declare() == Some(Outcome::win_for(position.side_to_move())) {
        return Some(answer(
            MateScore::Wins(Some(1)),
            BestMove::new(Choice::Win),
            Info { pv_end: Some(PvEnd::Win), ..Info::default() },
        ));
    }
    let mate = position.mate_in_one()?;
    let allowed = go.searchmoves.is_empty() || go.searchmoves.contains(&mate);
    allowed.then(|| {
        answer(
            MateScore::Wins(Some(1)),
            BestMove::new(Choice::Move(mate)),
            Info { pv: vec![mate], ..Info::default() },
        )
    })
}

fn answer(score: MateScore, best: BestMove, line: Info) -> Finished {
    let info = Info {
        depth: Some(1),
        time_ms: Some(0),
        nodes: Some(0),
        nps: Some(0),
        score: Some(Score::Mate(score)),
        ..line
    };
    Finished { infos: vec![info], best }
}
