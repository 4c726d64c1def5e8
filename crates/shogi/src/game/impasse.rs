//! Entering kings: declarations, counts and tries.

use super::Game;
use crate::{
    Bitboard, Color, EndReason, GameEnd, ImpasseRule, Move, Outcome, PieceKind, Square, attacks,
};

/// Pieces besides the king that a declaration needs in the camp.
const DECLARATION_PIECES: u32 = 10;

impl Game {
    /// Points of a side on the whole board and in hand, with the points given away in a handicap
    /// credited to White.
    pub fn credited_points(&self, color: Color) -> u32 {
        self.position.points(color) + self.credit(color)
    }

    /// Points credited for the handicap.
    fn credit(&self, color: Color) -> u32 {
        match (color, self.rules.handicap) {
            (Color::White, Some(handicap)) => handicap.points_given(),
            _ => 0,
        }
    }

    /// What a declaration of the side to move would give now, if its conditions hold; time is
    /// taken to be left. Under `amateur_west` it may be the declarer's own loss.
    pub fn can_declare(&self) -> Option<Outcome> {
        let us = self.position.side_to_move();
        let win = Outcome::win_for(us);
        match self.rules.impasse {
            ImpasseRule::Csa27 | ImpasseRule::Csa27h => {
                let needed = match us {
                    Color::Black => 28,
                    Color::White => 27,
                };
                (self.declaration_points()? >= needed).then_some(win)
            }
            ImpasseRule::Csa24 | ImpasseRule::Csa24h => match self.declaration_points()? {
                31.. => Some(win),
                24..=30 => Some(Outcome::Draw),
                _ => None,
            },
            ImpasseRule::Try | ImpasseRule::TryBoth => self.try_move().map(|_| win),
            ImpasseRule::AmateurWest => {
                (self.both_entered() && self.is_wholly_inside(us)).then(|| self.larger_count())
            }
            ImpasseRule::Jishogi24 | ImpasseRule::Count27 | ImpasseRule::None => None,
        }
    }

    /// Points of the side to move in the camp and in hand, if the other conditions of a
    /// declaration hold: the king inside, ten other pieces inside, no check.
    fn declaration_points(&self) -> Option<u32> {
        let position = &self.position;
        let us = position.side_to_move();
        let holds = position.has_entered(us)
            && !position.in_check()
            && position.zone_pieces(us) >= DECLARATION_PIECES;
        let credited = matches!(self.rules.impasse, ImpasseRule::Csa27h | ImpasseRule::Csa24h);
        holds.then(|| position.zone_points(us) + if credited { self.credit(us) } else { 0 })
    }

    /// The side to move declares. `time_left_ms` is what it has left on the clock, in
    /// milliseconds; `None` without a clock. Without time the declaration fails.
    pub fn declare(&self, time_left_ms: Option<u64>) -> GameEnd {
        let us = self.position.side_to_move();
        let ply = self.ply();
        match self.can_declare().filter(|_| time_left_ms != Some(0)) {
            Some(outcome) => GameEnd { outcome, reason: self.declaration_reason(), ply },
            None => GameEnd {
                outcome: Outcome::win_for(!us),
                reason: EndReason::FailedDeclaration,
                ply,
            },
        }
    }

    /// The reason of a game that a right declaration ends.
    pub(super) const fn declaration_reason(&self) -> EndReason {
        match self.rules.impasse {
            ImpasseRule::Try | ImpasseRule::TryBoth => EndReason::Try,
            ImpasseRule::AmateurWest => EndReason::Jishogi,
            _ => EndReason::NyugyokuDeclaration,
        }
    }

    /// Both sides agree to count. `None` if the rules know no such agreement, or its condition
    /// does not hold: then the game goes on.
    pub fn agree(&self) -> Option<GameEnd> {
        if !self.both_entered() {
            return None;
        }
        let [black, white] = Color::ALL.map(|color| self.credited_points(color));
        let outcome = match self.rules.impasse {
            ImpasseRule::Jishogi24 => match (black < 24, white < 24) {
                (true, false) => Outcome::WhiteWins,
                (false, true) => Outcome::BlackWins,
                _ => Outcome::Draw,
            },
            ImpasseRule::Count27 if white >= 27 => Outcome::WhiteWins,
            ImpasseRule::Count27 if black >= 27 => Outcome::BlackWins,
            ImpasseRule::Count27 => Outcome::Draw,
            ImpasseRule::AmateurWest
                if Color::ALL.into_iter().any(|color| self.is_wholly_inside(color)) =>
            {
                self.larger_count()
            }
            _ => return None,
        };
        Some(GameEnd { outcome, reason: EndReason::Jishogi, ply: self.ply() })
    }

    /// Whether both kings stand in the enemy camps.
    pub fn both_entered(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.position.has_entered(color))
    }

    /// Whether all pieces of a side on the board stand in the enemy camp.
    fn is_wholly_inside(&self, color: Color) -> bool {
        (self.position.pieces(color) & !Bitboard::zone(color)).is_empty()
    }

    fn larger_count(&self) -> Outcome {
        let [black, white] = Color::ALL.map(|color| self.credited_points(color));
        match black.cmp(&white) {
            std::cmp::Ordering::Greater => Outcome::BlackWins,
            std::cmp::Ordering::Less => Outcome::WhiteWins,
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    /// The legal king move to the far home square that wins under the try rules, if they are in
    /// force and there is one.
    pub fn try_move(&self) -> Option<Move> {
        let us = self.position.side_to_move();
        if !self.try_counts() {
            return None;
        }
        let (king, goal) = (self.position.king(us)?, try_square(us));
        let near = attacks(PieceKind::King, us, king, Bitboard::EMPTY).contains(goal);
        let mv = near.then(|| Move::normal(king, goal))?;
        self.position.is_legal(mv).then_some(mv)
    }

    /// Whether a try wins at present.
    fn try_counts(&self) -> bool {
        match self.rules.impasse {
            ImpasseRule::Try => true,
            ImpasseRule::TryBoth => self.both_entered(),
            _ => false,
        }
    }

    /// The win of the side whose last move was a try.
    pub(super) fn try_end(&self) -> Option<GameEnd> {
        let mover = !self.position.side_to_move();
        let goal = try_square(mover);
        // A king that steps to the goal comes from inside the camp, so that both kings had entered
        // before the move exactly if they have now.
        let tried = self.try_counts()
            && self.position.king(mover) == Some(goal)
            && self.moves.last().is_some_and(|mv| mv.to() == goal);
        tried.then(|| GameEnd {
            outcome: Outcome::win_for(mover),
            reason: EndReason::Try,
            ply: self.ply(),
        })
    }
}

/// The home square of the enemy king.
const fn try_square(color: Color) -> Square {
    match color {
        Color::Black => Square::SQ_5A,
        Color::White => Square::SQ_5I,
    }
}
