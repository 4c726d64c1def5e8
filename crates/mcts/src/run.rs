use crate::SearchLimit;
use crate::early_stop::EarlyStop;
use crate::root_selector::RootSelector;
use rand_xoshiro::Xoshiro256PlusPlus;

/// One search: from `begin` to the next.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) limit: SearchLimit,
    /// Simulations that are expected in all; the limit's unless another number was planned.
    pub(crate) planned: u32,
    /// The search's own stream.
    pub(crate) rng: Xoshiro256PlusPlus,
    /// Simulations selected, applied or not.
    pub(crate) started: u32,
    /// Simulations applied.
    pub(crate) applied: u32,
    /// None until the root is evaluated.
    pub(crate) selector: Option<RootSelector>,
    /// None until the root is evaluated, and where nothing ends the search early.
    pub(crate) early_stop: Option<EarlyStop>,
}
