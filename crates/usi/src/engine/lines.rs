use std::io::BufRead;

use crossbeam::channel::Sender;

use super::event::Event;

/// Sends every line of `input`, then its end. Bytes that are not UTF-8 become replacement characters.
pub(super) fn read(mut input: impl BufRead, events: &Sender<Event>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let event = match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::EndOfInput,
            Ok(_) => Event::Line(String::from_utf8_lossy(&line).into_owned()),
        };
        let ended = matches!(event, Event::EndOfInput);
        if events.send(event).is_err() || ended {
            return;
        }
    }
}
