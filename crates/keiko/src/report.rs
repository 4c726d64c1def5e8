//! Reports of a run for people: a page, and a small picture.
//!
//! Both are functions of a [`History`](crate::pipeline::History) alone and need nothing from elsewhere: no script, no
//! font, no address.

mod axis;
mod chart;
mod curves;
mod ends;
mod ladder;
mod page;
mod picture;
mod svg;
mod table;

pub(crate) use page::page;
pub(crate) use picture::picture;

/// Where in a run's folder its page is.
pub(crate) const PAGE: &str = "report.html";

#[cfg(test)]
mod tests;
