//! A side as a running program.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What a side answers.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The result, if it is one that can be compared.
    pub result: Option<u64>,
    /// CPU time of a unit, in nanoseconds.
    pub ns_per_unit: f64,
}

/// A running side. It ends when its input does.
#[derive(Debug)]
pub struct Side {
    name: String,
    known: Vec<String>,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Side {
    /// Starts the side of `NAME=COMMAND`.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn start(text: &str) -> Side {
        let (name, command) = text.split_once('=').expect("NAME=COMMAND");
        let mut words = command.split_whitespace();
        let mut command = Command::new(words.next().expect("a program"));
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the side starts");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("the names of its work");
        let known = line.split_whitespace().map(str::to_owned).collect();
        Side { name: name.to_owned(), known, child, input, output }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Has it do a work, if it knows it.
    ///
    /// # Panics
    /// If the side ended or answers something else.
    pub fn ask(&mut self, work: &str) -> Option<Answer> {
        if !self.known.iter().any(|known| known == work) {
            return None;
        }
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{work}").expect("the side reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the side answers");
        let words: Vec<&str> = line.split_whitespace().collect();
        let [result, units, nanoseconds] = words[..] else {
            panic!("{} answered {line:?} to {work}", self.name)
        };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        Some(Answer {
            result: result.parse().ok(),
            ns_per_unit: number(nanoseconds) / number(units),
        })
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        self.input = None;
        // It has nothing left to do; how it ends does not matter.
        let _ = self.child.wait();
    }
}
