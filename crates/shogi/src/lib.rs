//! The rules of shogi: legal moves, repetition, impasse, and how games end.
//!
//! [`Position`] is a placement with hands and side to move; [`Game`] adds the history and the
//! rules of an event, and says when and how the game ended. Moves are generated strictly legal, by
//! cutting sets of targets down to what checks and pins leave; nothing is tested afterwards.
//!
//! The crate does not know values, networks, files, threads, randomness or clocks.
//!
//! ```
//! use keiko_shogi::{Game, MoveList, Rules};
//!
//! let mut game = Game::startpos(Rules::STANDARD);
//! game.play("7g7f".parse()?);
//! let mut replies = MoveList::new();
//! game.legal_moves(&mut replies);
//! assert_eq!(replies.len(), 30);
//! assert_eq!(game.end(), None);
//! # Ok::<(), keiko_shogi::ParseMoveError>(())
//! ```

mod attacks;
mod bitboard;
mod color;
mod cpu;
mod declaration;
mod draw_values;
mod end_reason;
mod game;
mod game_end;
mod hand;
mod handicap;
mod illegal_kind;
mod impasse_rule;
mod move_list;
mod movegen;
mod outcome;
mod perft;
mod piece;
mod piece_kind;
mod position;
mod position_command;
mod rules;
mod setup;
mod sfen;
mod shogi_move;
mod simd;
mod square;
mod square_map;
mod zobrist;

pub use attacks::attacks;
pub use bitboard::{Bitboard, Squares};
pub use color::{Color, ParseColorError};
pub use cpu::{UnsupportedCpu, check_cpu};
pub use declaration::{Declaration, ParseDeclarationError};
pub use draw_values::DrawValues;
pub use end_reason::{EndReason, ParseEndReasonError};
pub use game::{Game, Repetition};
pub use game_end::GameEnd;
pub use hand::Hand;
pub use handicap::{Handicap, ParseHandicapError};
pub use illegal_kind::{IllegalKind, ParseIllegalKindError};
pub use impasse_rule::{ImpasseRule, ParseImpasseRuleError};
pub use move_list::MoveList;
pub use outcome::{Outcome, ParseOutcomeError};
pub use perft::{divide, perft, perft_full};
pub use piece::Piece;
pub use piece_kind::PieceKind;
pub use position::{Position, Undo};
pub use position_command::{ParsePositionError, parse_position};
pub use rules::Rules;
pub use setup::Setup;
pub use sfen::SfenError;
pub use shogi_move::{Move, ParseMoveError};
pub use square::{ParseSquareError, Square};
