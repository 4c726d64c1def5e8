//! The mathematics of a match: counts by pair and by game, Elo with its error, the sequential test.
//!
//! The unit of every estimate is the pair of games of one opening with colours swapped. The two games of a
//! pair are not independent, so single games would make the error too small (or, with unbalanced openings,
//! too large); the five possible pair scores (pentanomial) are.

pub use elo::{Elo, EloInterval};
pub use normalized::NormalizedElo;
pub use pair_score::PairScore;
pub use pentanomial::Pentanomial;
pub use rating::{Estimate, Rating, RatingPool, Ratings, normal_cdf};
pub use sprt::{Decision, EloScale, Sprt, SprtSettings, SprtSettingsError};
pub use trinomial::{GamePoints, Trinomial};

mod elo;
mod likelihood;
mod normalized;
mod pair_score;
mod pentanomial;
mod rating;
mod sprt;
mod trinomial;
