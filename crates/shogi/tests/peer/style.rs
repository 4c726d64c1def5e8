//! How the random games start, and how their moves are picked.

use keiko_shogi::{Color, Game, Move, Position};

/// What a random game is after.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    /// Any move.
    Even,
    /// Checks, where there are any.
    Checks,
    /// Drops, where there are any.
    Drops,
    /// Checks by Black, and back and forth by both.
    Loops,
    /// Kings forward, and captures.
    Entering,
}

const EVEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const FULL_HANDS: &str = "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1";
const OPEN_LINES: &str = "k8/1P1L3S1/2R1N1B2/9/9/9/2b1n1r2/1s3l1p1/8K b - 1";

impl Style {
    /// Every style.
    pub(crate) const ALL: [Style; 5] =
        [Style::Even, Style::Checks, Style::Drops, Style::Loops, Style::Entering];

    /// SFENs of the games' starts.
    pub(crate) const fn starts(self) -> &'static [&'static str] {
        match self {
            Style::Even => &[EVEN, MATSURI],
            Style::Checks | Style::Drops => &[EVEN, MATSURI, FULL_HANDS, OPEN_LINES],
            Style::Loops => &[
                "6k2/9/9/9/9/9/9/9/K6R1 b - 1",
                "3+r5/9/6+l2/2S1k4/2+b6/9/9/g2K1S3/9 b - 1",
                "9/6+n2/9/3+b5/5k3/3+bR4/6K2/9/9 b - 1",
                "8k/9/9/9/9/9/9/9/K8 b - 1",
                "4k4/9/4P4/9/9/9/9/4R4/4K4 b Gg 1",
            ],
            Style::Entering => &[
                "1+P+P+PK+P+P2/1+P1+RG+S1+P1/9/9/9/9/9/1+p1+b1g+s2/2+p+pk+p+p2 b RB2GS2N2L3Ps2n2l3p 1",
                "9/2+P+PKG+P2/3+B+P+P+S2/9/9/9/2+p+p+p+p+s2/3gk+b+r2/9 w RGSNL4Pgs3n3l5p 1",
                "9/3K5/+P+P+P+P5/9/9/9/5+p+p+p+p/5k3/9 b RB2G2S2N2L5Prb2g2s2n2l5p 1",
                "9/9/9/3K5/9/9/5k3/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
            ],
        }
    }

    /// The longest game, in plies.
    pub(crate) const fn most_plies(self) -> u32 {
        match self {
            Style::Even => 300,
            Style::Checks | Style::Drops | Style::Entering => 150,
            Style::Loops => 60,
        }
    }

    /// Games in a round of all styles.
    pub(crate) const fn games(self) -> u32 {
        match self {
            Style::Loops => 12,
            _ => 1,
        }
    }

    /// The moves, of the legal ones of the game, among which chance picks; `chance` is random.
    pub(crate) fn choices(self, game: &Game, moves: &[Move], chance: u64) -> Vec<Move> {
        let position = game.position();
        let only = |wanted: &dyn Fn(Move) -> bool| -> Vec<Move> {
            moves.iter().copied().filter(|&mv| wanted(mv)).collect()
        };
        let mut picked = match self {
            Style::Even => Vec::new(),
            Style::Checks => only(&|mv| position.gives_check(mv)),
            Style::Drops => only(&|mv| mv.dropped().is_some()),
            Style::Loops
                if position.side_to_move() == Color::Black && !chance.is_multiple_of(8) =>
            {
                let checks = only(&|mv| position.gives_check(mv));
                let again: Vec<Move> =
                    checks.iter().copied().filter(|&mv| goes_back(game, mv)).collect();
                if again.is_empty() { checks } else { again }
            }
            Style::Loops => only(&|mv| goes_back(game, mv)),
            Style::Entering => only(&|mv| advances(position, mv)),
        };
        if picked.is_empty() || chance % 32 == 31 {
            picked = moves.to_vec();
        }
        if matches!(self, Style::Loops) {
            picked.truncate(2);
        }
        picked
    }
}

/// Whether the move takes back the last move of its side.
fn goes_back(game: &Game, mv: Move) -> bool {
    let [.., last, _] = game.moves() else { return false };
    mv.from() == Some(last.to()) && last.from() == Some(mv.to())
}

/// Whether the move captures, or brings a piece into the camp.
fn advances(position: &Position, mv: Move) -> bool {
    let us = position.side_to_move();
    position.piece_at(mv.to()).is_some() || mv.to().is_in_zone(us)
}
