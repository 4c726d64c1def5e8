use keiko_shogi::{Game, Move, Outcome};

use super::report::Finished;
use crate::answer::{BestMove, Choice, Info, MateScore, PvEnd, Score};
use crate::command::Go;

/// The answer where there is nothing to search: the game is lost on the spot, or the side to move may declare, try or
/// mate at once.
pub(super) fn find(game: &Game, go: &Go) -> Option<Finished> {
    let position = game.position();
    if !position.has_legal_move() {
        return Some(answer(
            MateScore::Loses(Some(1)),
            BestMove::new(Choice::Resign),
            Info { pv_end: Some(PvEnd::Resign), ..Info::default() },
        ));
    }
    let allowed = |mv: &Move| go.searchmoves.is_empty() || go.searchmoves.contains(mv);
    // A try is a move, which every GUI takes, also one that does not know the rule.
    let tried = game.try_move();
    if tried.is_none() && game.can_declare() == Some(Outcome::win_for(position.side_to_move())) {
        return Some(answer(
            MateScore::Wins(Some(1)),
            BestMove::new(Choice::Win),
            Info { pv_end: Some(PvEnd::Win), ..Info::default() },
        ));
    }
    let winning = tried.filter(allowed).or_else(|| position.mate_in_one().filter(allowed))?;
    Some(answer(
        MateScore::Wins(Some(1)),
        BestMove::new(Choice::Move(winning)),
        Info { pv: vec![winning], ..Info::default() },
    ))
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
