//! How the game ends.

use super::Game;
use crate::{Color, Declaration, EndReason, GameEnd, IllegalKind, ImpasseRule, Outcome};

impl Game {
    /// The end of the game at the current position, by the rules in force.
    ///
    /// The first that applies: the last move was illegal; no legal move (mate or not); a try;
    /// perpetual check or sennichite; the maximum of plies; an automatic declaration. What the
    /// players do themselves (resigning, declaring, agreeing, overstepping the time) comes from
    /// the other methods.
    pub fn end(&self) -> Option<GameEnd> {
        if let Some(end) = self.foul_end() {
            return Some(end);
        }
        if !self.position.has_legal_move() {
            return Some(self.end_without_moves());
        }
        self.end_with_moves()
    }

    /// The end at the current position, when there are legal moves and the last move was legal.
    /// For search, which knows both.
    #[inline]
    pub fn end_with_moves(&self) -> Option<GameEnd> {
        self.try_end()
            .or_else(|| self.repetition().verdict)
            .or_else(|| self.max_plies_end())
            .or_else(|| self.automatic_end())
    }

    /// The end when the side to move has no legal move: it loses.
    #[inline]
    pub fn end_without_moves(&self) -> GameEnd {
        let reason =
            if self.position.in_check() { EndReason::Checkmate } else { EndReason::NoLegalMove };
        self.loss(self.position.side_to_move(), reason)
    }

    /// The end by a foul in the last move.
    fn foul_end(&self) -> Option<GameEnd> {
        self.foul_end_at(self.moves.len())
    }

    /// The end by the first illegal move of the game, as when it is found later.
    pub fn first_foul(&self) -> Option<GameEnd> {
        (1..=self.moves.len()).find_map(|ply| self.foul_end_at(ply))
    }

    fn foul_end_at(&self, ply: usize) -> Option<GameEnd> {
        if !self.history.has_foul() {
            return None;
        }
        let records = self.history.records();
        let kind = records.get(ply)?.foul()?;
        // The turn after each later move is known from the current one: it changes but for moves
        // out of turn.
        let turns = records[ply + 1..]
            .iter()
            .filter(|record| record.foul() != Some(IllegalKind::OutOfTurn))
            .count();
        let next = self.position.side_to_move();
        let side_after = if turns % 2 == 0 { next } else { !next };
        Some(GameEnd {
            outcome: Outcome::win_for(side_after),
            reason: EndReason::IllegalMove(kind),
            ply: ply as u32,
        })
    }

    fn max_plies_end(&self) -> Option<GameEnd> {
        let reached = self.rules.max_plies.is_some_and(|max| self.ply() >= u32::from(max));
        reached.then(|| GameEnd {
            outcome: Outcome::Draw,
            reason: EndReason::MaxPlies,
            ply: self.ply(),
        })
    }

    fn automatic_end(&self) -> Option<GameEnd> {
        if self.rules.declaration == Declaration::Manual {
            return None;
        }
        let win = Outcome::win_for(self.position.side_to_move());
        let counts =
            |&outcome: &Outcome| outcome == win || self.rules.impasse == ImpasseRule::AmateurWest;
        let outcome = self.can_declare().filter(counts)?;
        Some(GameEnd { outcome, reason: self.declaration_reason(), ply: self.ply() })
    }

    /// The end when a move of the given kind of foul is played now, which may be physically
    /// impossible; the move counts as played. Moves out of turn are those of the other side.
    pub fn foul(&self, kind: IllegalKind) -> GameEnd {
        let us = self.position.side_to_move();
        let loser = if kind == IllegalKind::OutOfTurn { !us } else { us };
        GameEnd { ply: self.ply() + 1, ..self.loss(loser, EndReason::IllegalMove(kind)) }
    }

    /// A side resigns.
    pub fn resign(&self, loser: Color) -> GameEnd {
        self.loss(loser, EndReason::Resignation)
    }

    /// A side's time runs out.
    pub fn forfeit(&self, loser: Color) -> GameEnd {
        self.loss(loser, EndReason::TimeForfeit)
    }

    fn loss(&self, loser: Color, reason: EndReason) -> GameEnd {
        GameEnd { outcome: Outcome::win_for(!loser), reason, ply: self.ply() }
    }
}
