//! How long work shows itself: a bar for each stage at work on a terminal, plain dated lines elsewhere, never both.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::pulse::Pulse;

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// The bars of this process, below each other.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Prints what a command says to its user.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Console {
    terminal: bool,
    started: Instant,
}

impl Console {
    /// A console for this process: bars when standard error is a terminal.
    pub(crate) fn new() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), started: Instant::now() }
    }

    /// One line of text, dated with the time since the program started.
    pub(crate) fn line(&self, text: &str) {
        // A run goes on although nobody reads what it says.
        let print = || {
            let _ = writeln!(std::io::stderr(), "[{}] {text}", clock(self.started.elapsed()));
        };
        if self.terminal { BARS.suspend(print) } else { print() }
    }

    /// Starts the display of a stage of `total` steps (0 = not known).
    pub(crate) fn stage(&self, title: &str, total: u64) -> Stage {
        self.shown(title, total, "{prefix:<10} {bar:24} {pos}/{len} {msg} (left {eta})")
    }

    /// The same with a text of many lines below the bar.
    pub(crate) fn table(&self, title: &str, total: u64) -> Stage {
        self.shown(title, total, "{prefix:<10} {bar:24} {pos}/{len} (left {eta})\n{msg}")
    }

    fn shown(&self, title: &str, total: u64, template: &'static str) -> Stage {
        let bar = self.terminal.then(|| {
            let bar = BARS.add(ProgressBar::new(total));
            bar.set_style(style(WITHOUT_END));
            bar.set_prefix(title.to_owned());
            bar
        });
        let now = Instant::now();
        let (console, title) = (*self, title.to_owned());
        let pulse = None;
        let mut stage = Stage {
            console,
            title,
            total,
            template,
            ends: false,
            bar,
            pulse,
            started: now,
            last_line: now,
        };
        stage.show_end(total > 0);
        stage
    }
}

/// How a stage shows itself of which it is not known how far it is: it waits, or its steps have not been counted.
const WITHOUT_END: &str = "{prefix:<10} {msg}";

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed")
}

/// The display of one running stage.
#[derive(Debug)]
pub(crate) struct Stage {
    console: Console,
    title: String,
    total: u64,
    /// Of the bar while it is known how far it is.
    template: &'static str,
    /// Whether the bar shows that.
    ends: bool,
    bar: Option<ProgressBar>,
    pulse: Option<Pulse>,
    started: Instant,
    last_line: Instant,
}

impl Stage {
    /// Tells `pulse` too, for `generation` of a run.
    pub(crate) fn beating(mut self, pulse: Option<&Pulse>, generation: u32) -> Self {
        self.pulse = pulse.cloned();
        if let Some(pulse) = &self.pulse {
            pulse.begin(&self.title, generation);
        }
        self
    }

    /// Time since the stage started.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Says how many steps there are, once that is known.
    pub(crate) fn set_total(&mut self, total: u64) {
        self.total = total;
        if let Some(bar) = &self.bar {
            bar.set_length(total);
        }
    }

    /// Shows that `done` of the total steps are done, with details in `text`.
    pub(crate) fn update(&mut self, done: u64, text: &str) {
        if let Some(pulse) = &self.pulse {
            pulse.moved(done, self.total, text);
        }
        self.show_end(self.total > 0);
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(text.to_owned());
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let mut line = format!("{}: {done}/{} {text}", self.title, self.total);
            if let Some(left) = self.left(done) {
                let _ = write!(line, ", left {}", clock(left));
            }
            self.console.line(&line);
        }
    }

    fn show_end(&mut self, ends: bool) {
        if let Some(bar) = &self.bar
            && self.ends != ends
        {
            bar.set_style(style(if ends { self.template } else { WITHOUT_END }));
        }
        self.ends = ends;
    }

    /// Shows that it waits, in words; where there is no bar only the heartbeat does.
    pub(crate) fn wait(&mut self, text: &str) {
        if let Some(pulse) = &self.pulse {
            pulse.moved(0, 0, text);
        }
        self.show_end(false);
        if let Some(bar) = &self.bar {
            bar.set_message(text.to_owned());
        }
    }

    /// Whether there is a bar, and with it room for more than a line.
    pub(crate) fn has_bar(&self) -> bool {
        self.bar.is_some()
    }

    /// Ends the display; `text` stays as one line.
    pub(crate) fn finish(self, text: &str) {
        self.clear();
        self.console.line(&format!("{}: {text} ({})", self.title, clock(self.elapsed())));
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            BARS.remove(bar);
        }
    }

    fn left(&self, done: u64) -> Option<Duration> {
        if done == 0 || self.total <= done {
            return None;
        }
        let share = (self.total - done) as f64 / done as f64;
        Some(self.elapsed().mul_f64(share))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.clear();
    }
}

/// So many seconds as a clock shows them.
pub(crate) fn clock_of(seconds: u64) -> String {
    clock(Duration::from_secs(seconds))
}

/// `h:mm:ss` or `m:ss`.
fn clock(time: Duration) -> String {
    let s = time.as_secs();
    if s >= 3600 {
        format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    } else {
        format!("{}:{:02}", s / 60, s % 60)
    }
}
