//! The same game in both programs.

use keiko_shogi::{EndReason, Game, ImpasseRule, Move, MoveList, Outcome, Position, Rules};
use rsshogi::board::{Move32List, generate_legal_all_move32, position_from_sfen};
use rsshogi::types::{EnteringKingRule, MOVE_NONE, Move32, RepetitionState};

use crate::style::Style;
use crate::tally::Tally;

/// Plays random games in both programs until `positions` positions are compared.
///
/// # Panics
/// At the first difference.
pub(crate) fn compare(positions: u32, seed: u64) -> Tally {
    let mut tally = Tally::default();
    let mut state = seed;
    while tally.positions < positions {
        for style in Style::ALL.into_iter().flat_map(|style| (0..style.games()).map(move |_| style))
        {
            let starts = style.starts();
            let start = starts[(next(&mut state) % starts.len() as u64) as usize];
            let mut pair = Pair::new(start);
            while pair.ours.ply() < style.most_plies() {
                let chance = next(&mut state);
                if !pair.step(style, chance, &mut tally) {
                    break;
                }
            }
        }
    }
    tally
}

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

struct Pair {
    ours: Game,
    theirs: rsshogi::board::Position,
    /// Keys of the positions so far, without and with the hands.
    keys: Vec<(u64, u64)>,
}

impl Pair {
    fn new(sfen: &str) -> Pair {
        let (position, number) = Position::from_sfen(sfen).unwrap();
        let mut theirs = position_from_sfen(sfen).unwrap();
        theirs.init_stack();
        Pair { ours: Game::new(position, number, Rules::STANDARD), theirs, keys: Vec::new() }
    }

    /// Compares the position and plays a move; `false` where the game is over.
    fn step(&mut self, style: Style, chance: u64, tally: &mut Tally) -> bool {
        let sfen = self.ours.sfen();
        assert_eq!(self.theirs.to_sfen(None), sfen);
        let moves = self.same_moves(&sfen);
        tally.positions += 1;
        tally.moves += moves.len() as u64;
        tally.checks += u32::from(self.ours.position().in_check());
        self.same_declarations(&sfen, tally);
        self.same_mate(&sfen, moves.is_empty(), tally);
        if self.same_repetition(&sfen, tally) || moves.is_empty() {
            return false;
        }
        let listed: Vec<Move> = moves.iter().map(|&(mv, _)| mv).collect();
        let choices = style.choices(&self.ours, &listed, chance);
        let mv = choices[(chance / 8 % choices.len() as u64) as usize];
        let (_, theirs) = moves[listed.binary_search(&mv).unwrap()];
        self.ours.play(mv);
        self.theirs.apply_move32(theirs);
        true
    }

    /// The legal moves in the order of their bits, as both programs write them.
    fn same_moves(&self, sfen: &str) -> Vec<(Move, Move32)> {
        let mut ours = MoveList::new();
        self.ours.legal_moves(&mut ours);
        ours.sort();
        let mut list = Move32List::new();
        generate_legal_all_move32(&self.theirs, &mut list);
        let mut theirs: Vec<(Move, Move32)> = list
            .iter()
            .map(|&mv| (Move::from_bits(mv.to_move().to_apery().raw()).unwrap(), mv))
            .collect();
        theirs.sort_by_key(|&(mv, _)| mv);
        let same = ours.iter().eq(theirs.iter().map(|(mv, _)| mv));
        assert!(same, "{sfen}\nours   {ours:?}\ntheirs {theirs:?}");
        for &(mv, theirs) in &theirs {
            assert_eq!(mv.to_string(), theirs.to_usi(), "{sfen}");
        }
        theirs
    }

    /// What may be declared under each rule that both programs know.
    fn same_declarations(&mut self, sfen: &str, tally: &mut Tally) {
        let win = Outcome::win_for(self.ours.position().side_to_move());
        for (rule, theirs) in [
            (ImpasseRule::Csa27, EnteringKingRule::Point27),
            (ImpasseRule::Csa24, EnteringKingRule::Point24),
            (ImpasseRule::Try, EnteringKingRule::TryRule),
        ] {
            let rules = Rules { impasse: rule, ..Rules::STANDARD };
            let game = Game::new(self.ours.position().clone(), 1, rules);
            let wins = game.can_declare() == Some(win);
            self.theirs.set_entering_king_rule(theirs);
            assert_eq!(wins, self.theirs.declaration_win_move() != MOVE_NONE, "{rule} {sfen}");
            match rule {
                ImpasseRule::Try => tally.tries += u32::from(wins),
                _ => tally.declarations += u32::from(wins),
            }
        }
    }

    fn same_mate(&self, sfen: &str, mated: bool, tally: &mut Tally) {
        let position = self.ours.position();
        assert_eq!(position.in_check(), self.theirs.is_in_check(), "{sfen}");
        let checkers = self.theirs.checkers().count();
        assert_eq!(position.checkers().len() as usize, checkers as usize, "{sfen}");
        assert_eq!(mated, self.theirs.is_mated(), "{sfen}");
        tally.mated += u32::from(mated);
        // Their search is only for the side that is not in check.
        if !position.in_check() {
            let theirs = rsshogi::mate::solve_mate_in_one(&self.theirs);
            assert_eq!(position.mate_in_one().is_some(), theirs.is_some(), "{sfen}");
            tally.mates += u32::from(theirs.is_some());
        }
    }

    /// Compares what the history says, and tells whether the game is over by it.
    fn same_repetition(&mut self, sfen: &str, tally: &mut Tally) -> bool {
        let position = self.ours.position();
        let (board_key, key) = (position.board_key(), position.key());
        // They look no further back than to the last position with the same board, whatever the
        // hands.
        let other_hands = self.keys.iter().any(|&keys| keys.0 == board_key && keys.1 != key);
        self.keys.push((board_key, key));
        let repetition = self.ours.repetition();
        let context =
            || format!("{} moves {:?}\n{sfen}", self.ours.start_sfen(), self.ours.moves());
        if !other_hands {
            let times = self.theirs.repetition_times();
            assert_eq!(i64::from(repetition.occurrences), i64::from(times) + 1, "{}", context());
            let win = Outcome::win_for(position.side_to_move());
            let expected = match self.theirs.repetition_state() {
                RepetitionState::Win => Some((win, EndReason::PerpetualCheck)),
                RepetitionState::Lose => {
                    Some((Outcome::win_for(!position.side_to_move()), EndReason::PerpetualCheck))
                }
                RepetitionState::Draw => Some((Outcome::Draw, EndReason::Sennichite)),
                _ => None,
            };
            let found = repetition.verdict.map(|end| (end.outcome, end.reason));
            assert_eq!(found, expected, "{}", context());
        }
        match repetition.verdict.map(|end| end.reason) {
            Some(EndReason::PerpetualCheck) => tally.perpetual += 1,
            Some(_) => tally.sennichite += 1,
            None => return false,
        }
        true
    }
}
