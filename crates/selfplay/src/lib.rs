//! Training games by a pool of workers.
