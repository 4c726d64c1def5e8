use std::collections::{BTreeMap, BTreeSet};

use keiko_shogi::Color;

use super::PlayedGame;
use crate::statistics::{Decision, Sprt};
use crate::tally::Tally;

/// How a contest stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The counts.
    pub tally: Tally,
    /// The log-likelihood ratio of "better" over "not better".
    pub llr: f64,
    /// Games that have ended, including those behind a pair that is still being played.
    pub finished_games: u64,
}

/// Counts pairs in their order, whatever the order in which the games end.
pub(super) struct Ledger {
    sprt: Sprt,
    tally: Tally,
    finished_games: u64,
    /// Games whose turn has not come.
    early: BTreeMap<u32, Vec<PlayedGame>>,
    /// The first pair that has not been counted.
    next_pair: u32,
    counted: Vec<PlayedGame>,
    /// Games that were counted: the final position with its move number, and the first player's colour.
    seen: BTreeSet<(String, Color)>,
}

impl Ledger {
    pub(super) fn new(sprt: Sprt) -> Ledger {
        Ledger {
            sprt,
            tally: Tally::default(),
            finished_games: 0,
            early: BTreeMap::new(),
            next_pair: 0,
            counted: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Takes a game and counts all pairs that are now due. Returns the decision when one is reached; what comes after
    /// it is not counted.
    pub(super) fn add(&mut self, game: PlayedGame) -> Option<Decision> {
        self.finished_games += 1;
        self.early.entry(game.pair).or_default().push(game);
        while let Some(games) = self.next_complete_pair() {
            let score = self.is_new(&games).then(|| self.tally.add(&games));
            if score.is_none() {
                self.tally.repeated_pairs += 1;
            }
            self.counted.extend(games);
            if let Some(decision) = self.sprt.update(score) {
                return Some(decision);
            }
        }
        None
    }

    fn next_complete_pair(&mut self) -> Option<[PlayedGame; 2]> {
        let games = self.early.remove(&self.next_pair)?;
        match <[PlayedGame; 2]>::try_from(games) {
            Ok(mut pair) => {
                self.next_pair += 1;
                pair.sort_by_key(|game| game.first_player.index());
                Some(pair)
            }
            Err(games) => {
                self.early.insert(self.next_pair, games);
                None
            }
        }
    }

    /// Whether neither game of a pair was played before. Two games that end in the same position after the same number
    /// of moves with the same seats are the same game, reached by openings that transpose.
    fn is_new(&mut self, games: &[PlayedGame; 2]) -> bool {
        let keys = games.each_ref().map(|game| (game.final_sfen.clone(), game.first_player));
        if keys.iter().any(|key| self.seen.contains(key)) {
            return false;
        }
        self.seen.extend(keys);
        true
    }

    pub(super) fn standing(&self) -> Standing {
        Standing {
            tally: self.tally.clone(),
            llr: self.sprt.llr(),
            finished_games: self.finished_games,
        }
    }

    pub(super) fn into_games(self) -> Vec<PlayedGame> {
        self.counted
    }
}

#[cfg(test)]
mod tests {
    use keiko_shogi::{EndReason, GameEnd, Outcome, Position};

    use super::*;
    use crate::statistics::{SprtSettings, Trinomial};

    const SETTINGS: SprtSettings =
        SprtSettings { elo0: 0.0, elo1: 200.0, alpha: 0.4, beta: 0.4, min_pairs: 2, cap_pairs: 4 };

    fn game(pair: u32, first_player: Color, outcome: Outcome, final_sfen: &str) -> PlayedGame {
        PlayedGame {
            pair,
            first_player,
            start: Position::startpos(),
            start_move_number: 1,
            moves: Vec::new(),
            final_sfen: final_sfen.to_owned(),
            end: GameEnd { outcome, reason: EndReason::Checkmate, ply: 9 },
        }
    }

    /// Pairs in which the first player wins both, wins one, and so on.
    fn games() -> Vec<PlayedGame> {
        use Color::{Black, White};
        use Outcome::{BlackWins, Draw, WhiteWins};
        vec![
            game(0, Black, BlackWins, "a"),
            game(0, White, WhiteWins, "b"),
            game(1, Black, Draw, "c"),
            game(1, White, WhiteWins, "d"),
            game(2, Black, BlackWins, "a"),
            game(2, White, WhiteWins, "e"),
            game(3, Black, WhiteWins, "f"),
            game(3, White, WhiteWins, "a"),
        ]
    }

    fn result(order: &[usize]) -> (Option<Decision>, Standing, Vec<PlayedGame>) {
        let mut ledger = Ledger::new(Sprt::new(SETTINGS).unwrap());
        let games = games();
        let decision = order.iter().find_map(|&index| ledger.add(games[index].clone()));
        let mut standing = ledger.standing();
        standing.finished_games = 0;
        (decision, standing, ledger.into_games())
    }

    #[test]
    fn the_order_in_which_games_end_does_not_matter() {
        let in_order = result(&[0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(in_order.0.is_some());
        for order in [[7, 6, 5, 4, 3, 2, 1, 0], [2, 5, 0, 7, 4, 1, 3, 6]] {
            assert_eq!(result(&order), in_order);
        }
    }

    #[test]
    fn what_follows_the_deciding_pair_is_dropped() {
        let (decision, standing, games) = result(&[7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(decision, Some(Decision::AcceptH1));
        assert_eq!(games.len(), 4);
        assert_eq!(standing.tally.pairs.counts, [0, 0, 0, 1, 1]);
        assert_eq!(standing.tally.black, Trinomial { wins: 1, draws: 1, losses: 2 });
        let by_color = [(1, 1), (2, 0)].map(|(wins, draws)| Trinomial { wins, draws, losses: 0 });
        assert_eq!(standing.tally.by_color, by_color);
    }

    #[test]
    fn a_pair_with_a_repeated_game_does_not_count() {
        let settings = SprtSettings { min_pairs: 4, ..SETTINGS };
        let mut ledger = Ledger::new(Sprt::new(settings).unwrap());
        let decision = games().into_iter().find_map(|game| ledger.add(game));
        assert!(decision.is_some());
        let tally = ledger.standing().tally;
        assert_eq!(tally.repeated_pairs, 1);
        // Pair 3's "a" has other seats than pair 0's, so it is another game.
        assert_eq!(tally.pairs.counts, [0, 0, 1, 1, 1]);
        assert_eq!(tally.games.games(), 6);
    }
}
