//! The search against what is known about small cases, and against its own golden trees.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod forced;
mod golden;
mod gumbel;
mod hash;
mod hashed;
mod limits;
mod mate;
mod mctx;
mod outstanding;
mod proofs;
mod puct;
mod reuse;
mod rules;
mod settings;
mod stop;
mod stopped;
mod superior;
mod support;
