//! Game records, shards, window, sampler, batches.
