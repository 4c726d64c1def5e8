//! Training on a store of random games: that it learns, and that it goes on after a kill as if
//! there had been none.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod training {
    mod learning;
    mod memory_store;
    mod resuming;
    mod run;
}
