//! Rules of shogi.
