//! What is found, line by line.

use std::io::{self, Write};

/// Prints findings as they come and counts the faults.
pub(super) struct Findings<'w> {
    out: &'w mut dyn Write,
    faults: usize,
}

impl<'w> Findings<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, faults: 0 }
    }

    /// Something is as it should be.
    pub(super) fn ok(&mut self, what: &str, text: &str) -> io::Result<()> {
        self.line("ok", what, text)
    }

    /// Something that may matter to somebody, but is no fault.
    pub(super) fn note(&mut self, what: &str, text: &str) -> io::Result<()> {
        self.line("note", what, text)
    }

    /// Something that keeps programs from using the model; the text says what to do.
    pub(super) fn fault(&mut self, what: &str, text: &str) -> io::Result<()> {
        self.faults += 1;
        self.line("fault", what, text)
    }

    /// Prints the sum and returns the number of faults.
    pub(super) fn finish(self) -> io::Result<usize> {
        match self.faults {
            0 => writeln!(self.out, "no faults")?,
            1 => writeln!(self.out, "1 fault")?,
            faults => writeln!(self.out, "{faults} faults")?,
        }
        Ok(self.faults)
    }

    /// Texts hold parts of files: what could steer a terminal is shown as it would be written.
    fn line(&mut self, kind: &str, what: &str, text: &str) -> io::Result<()> {
        let mut line = format!("{kind:<5}  {what}: ");
        for c in text.chars() {
            if c.is_control() {
                line.extend(c.escape_default());
            } else {
                line.push(c);
            }
        }
        writeln!(self.out, "{line}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_and_control_characters_shown() {
        let mut out = Vec::new();
        let mut findings = Findings::new(&mut out);
        findings.ok("a", "一").unwrap();
        findings.note("b", "\u{1b}[2J\n").unwrap();
        findings.fault("c", "x").unwrap();
        assert_eq!(findings.finish().unwrap(), 1);
        let expected = "ok     a: 一\nnote   b: \\u{1b}[2J\\n\nfault  c: x\n1 fault\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
