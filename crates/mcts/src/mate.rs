//! Proving mates: depth-first proof-number search (df-pn, Nagai 2002) over checks and their answers.
//!
//! The side to move attacks: it plays checks only, and the other side answers with any legal move. A
//! mate is a win by such play against every answer. To come back to a position of the own line is a
//! failure of the attack.
//!
//! What the table says is believed while searching but not in the answer. A mate is replayed against
//! every answer before it is returned. A refutation that hangs on the way to a position (a loop, the
//! limit of plies, an end by the rules) is stored for that way alone, and only what hangs on nothing is
//! returned as a refutation.

mod answer;
mod attack;
mod child;
mod confirm;
mod entry;
mod expand;
mod limits;
mod memory;
mod numbers;
mod place;
mod prove;
mod shorten;
mod solver;
mod table;
mod tsume;
mod visit;

pub use answer::MateAnswer;
pub use limits::MateLimits;
pub use solver::MateSolver;
