use std::io::{self, BufReader, Read, Write};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam::channel::{self, Receiver, Sender};
use keiko_inference::{EncodingId, Hashed};
use keiko_usi::engine::{self, Identity, LoadedModel, ModelLoader, ModelRequest};
use keiko_usi::options::Options;

/// No answer of these tests takes this long.
const PATIENCE: Duration = Duration::from_secs(20);

/// An engine in this process and the GUI's ends of its pipes.
pub(crate) struct Console {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    engine: Option<JoinHandle<io::Result<()>>>,
}

impl Console {
    /// An engine that evaluates by hashing.
    pub(crate) fn hashed() -> Console {
        Console::with(|_: &ModelRequest| {
            Ok(LoadedModel::new(Hashed::new(EncodingId::Dlshogi57, 1)))
        })
    }

    pub(crate) fn with(loader: impl ModelLoader + 'static) -> Console {
        let (input, bytes) = channel::unbounded();
        let (lines, output) = channel::unbounded();
        let engine = thread::spawn(move || {
            let input = BufReader::new(InPipe { bytes, rest: Vec::new() });
            let output = OutPipe { line: Vec::new(), lines };
            let identity = Identity { name: "test".to_owned(), author: "tester".to_owned() };
            engine::run(input, output, loader, &identity, Options::defaults())
        });
        Console { input: Some(input), output, engine: Some(engine) }
    }

    /// Ready to search, with reports only at the end of a search.
    pub(crate) fn ready(mut self) -> Console {
        self.send("setoption name PV_Interval value 0");
        self.send("isready");
        self.wait_for("readyok");
        self
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_ref().unwrap().send(bytes.to_vec()).unwrap();
    }

    /// The next line.
    pub(crate) fn line(&mut self) -> String {
        self.output.recv_timeout(PATIENCE).expect("the engine is silent")
    }

    /// The next line, if it comes soon.
    pub(crate) fn line_within(&mut self, time: Duration) -> Option<String> {
        self.output.recv_timeout(time).ok()
    }

    /// Skips lines until one begins with `start`, and returns it.
    pub(crate) fn wait_for(&mut self, start: &str) -> String {
        loop {
            let line = self.line();
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Everything said until `isready` is answered, which comes after all that is owed before.
    pub(crate) fn until_ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if line == "readyok" {
                return lines;
            }
            lines.push(line);
        }
    }

    /// Closes the input and returns what was still said.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.input = None;
        self.engine.take().unwrap().join().unwrap().unwrap();
        self.output.try_iter().collect()
    }
}

struct InPipe {
    bytes: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for InPipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.bytes.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct OutPipe {
    line: Vec<u8>,
    lines: Sender<String>,
}

impl Write for OutPipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.line)).unwrap();
                let _ = self.lines.send(line);
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        assert!(self.line.is_empty(), "a line is written whole before it is flushed");
        Ok(())
    }
}
