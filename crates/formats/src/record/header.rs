//! What a record says about its game.

use keiko_shogi::Color;

use super::Clock;

/// Names, event, dates and clocks of a game. Every text is one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The players' names, Black's first.
    pub players: [Option<String>; 2],
    /// The event (棋戦).
    pub event: Option<String>,
    /// Where it was played (場所).
    pub site: Option<String>,
    /// When it began, as `2024/05/14 10:00:00` or the date alone.
    pub started: Option<String>,
    /// When it ended, as `started`.
    pub ended: Option<String>,
    /// The opening's name (戦型).
    pub opening: Option<String>,
    /// The players' clocks, Black's first.
    pub clocks: [Option<Clock>; 2],
    /// What else there is, as key and value, in order; no key is empty or has a colon.
    pub extra: Vec<(String, String)>,
}

impl Header {
    /// The name of a side's player.
    #[must_use]
    pub fn player(&self, color: Color) -> Option<&str> {
        self.players[color.index()].as_deref()
    }

    /// The clock of both sides, if they have the same.
    #[must_use]
    pub fn clock(&self) -> Option<Clock> {
        self.clocks[0].filter(|_| self.clocks[0] == self.clocks[1])
    }

    /// The text fields by the names they have in game lines.
    pub(crate) fn texts(&self) -> [(&'static str, &Option<String>); 7] {
        [
            ("black", &self.players[0]),
            ("white", &self.players[1]),
            ("event", &self.event),
            ("site", &self.site),
            ("started", &self.started),
            ("ended", &self.ended),
            ("opening", &self.opening),
        ]
    }

    /// The text field with a name of [`texts`](Self::texts).
    pub(crate) fn text_mut(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "black" => &mut self.players[0],
            "white" => &mut self.players[1],
            "event" => &mut self.event,
            "site" => &mut self.site,
            "started" => &mut self.started,
            "ended" => &mut self.ended,
            "opening" => &mut self.opening,
            _ => return None,
        })
    }

    /// Sets the text field `name`, if it is free and `value` is not blank; what does not fit goes to the
    /// others under `key`.
    pub(crate) fn set(&mut self, name: &str, key: &str, value: &str) {
        let value = value.trim();
        match self.text_mut(name) {
            Some(_) if value.is_empty() => {}
            Some(field @ None) => *field = Some(value.to_owned()),
            _ => self.add(key, value),
        }
    }

    /// Adds to what else there is.
    pub(crate) fn add(&mut self, key: &str, value: &str) {
        self.extra.push((key.to_owned(), value.trim().to_owned()));
    }
}
