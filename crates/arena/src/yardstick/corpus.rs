use keiko_encoding::{LABELS, label};
use keiko_formats::GameLine;
use keiko_shogi::{Game, Move, Outcome, Rules};

/// Games that people and programs have played; `data/README.md` says where they come from.
const GAMES: &str = include_str!("../../../../data/yardsticks/games.txt");

/// A game of the corpus.
pub(super) struct CorpusGame {
    line: GameLine,
    /// Who won, if somebody did and it is known.
    pub(super) outcome: Option<Outcome>,
}

/// How often each label was played.
pub(super) struct LabelCounts(Vec<u32>);

/// The games.
pub(super) fn games() -> Vec<CorpusGame> {
    let lines = GameLine::parse_all(GAMES).expect("the corpus is in the program and tested");
    let outcome = |line: &GameLine| line.tag("outcome").and_then(|name| name.parse().ok());
    lines.into_iter().map(|line| CorpusGame { outcome: outcome(&line), line }).collect()
}

impl CorpusGame {
    /// The moves.
    pub(super) fn moves(&self) -> &[Move] {
        self.line.moves()
    }

    /// The game before its first move.
    pub(super) fn start(&self, rules: Rules) -> Game {
        Game::new(self.line.start().clone(), self.line.move_number(), rules)
    }
}

impl LabelCounts {
    /// Counts over some games.
    pub(super) fn of<'g>(games: impl IntoIterator<Item = &'g CorpusGame>) -> Self {
        let mut counts = vec![0; LABELS];
        for game in games {
            let mut side = game.line.start().side_to_move();
            for &mv in game.moves() {
                counts[usize::from(label(mv, side))] += 1;
                side = side.opponent();
            }
        }
        Self(counts)
    }

    /// For each of the legal `moves`, how often its label was played in the games of `self` that are not of `own`.
    pub(super) fn without(&self, own: &Self, game: &Game, moves: &[Move]) -> Vec<f32> {
        let side = game.position().side_to_move();
        let count = |mv: &Move| {
            let index = usize::from(label(*mv, side));
            (self.0[index] - own.0[index]) as f32
        };
        moves.iter().map(count).collect()
    }
}
