//! How busy the devices are with a stage's evaluations.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use keiko_inference::Backend;
use keiko_network::Device;

use super::busy::{Answers, Busy, BusyTime, Timed};
use crate::config::InferenceSection;

/// A figure for people is of at least the last so long, and at most of twice that.
const RECENT: Duration = Duration::from_secs(15);

/// The devices of a stage, each with what is counted of it.
#[derive(Clone, Debug)]
pub(super) struct Devices(Vec<(Device, Busy)>);

/// How busy they are from some moment on.
#[derive(Debug)]
pub(super) struct Watch {
    devices: Devices,
    began: Look,
    /// Where the latest time begins, and the next.
    recent: [Look; 2],
}

/// What was counted of each device at a moment.
#[derive(Clone, Debug)]
struct Look {
    at: Instant,
    times: Vec<BusyTime>,
}

impl Devices {
    /// Those of the settings, none of which has done anything.
    pub(super) fn new(section: &InferenceSection) -> Self {
        let mut devices = section.device.all().to_vec();
        devices.sort_unstable();
        devices.dedup();
        Self(devices.into_iter().map(|device| (device, Busy::default())).collect())
    }

    /// Counts what `backend` does on `device`.
    pub(super) fn timed<B: Backend>(&self, device: Device, backend: B) -> Timed<B> {
        let found = self.0.iter().find(|(it, _)| *it == device);
        let busy = found.map(|(_, busy)| busy.clone()).unwrap_or_default();
        let answers = match device {
            Device::Cpu => Answers::WhenSubmitted,
            Device::Cuda(_) => Answers::Later,
        };
        Timed::new(backend, busy, answers)
    }

    /// Watches them from now on.
    pub(super) fn watch(&self) -> Watch {
        let now = self.look();
        Watch { devices: self.clone(), recent: [now.clone(), now.clone()], began: now }
    }

    fn look(&self) -> Look {
        let times = self.0.iter().map(|(_, busy)| busy.time()).collect();
        Look { at: Instant::now(), times }
    }
}

impl Watch {
    /// How busy each was lately, in words that follow others.
    pub(super) fn recently(&mut self) -> String {
        let now = self.devices.look();
        let text = self.described(&self.recent[0], &now);
        if now.at.duration_since(self.recent[1].at) >= RECENT {
            self.recent = [self.recent[1].clone(), now];
        }
        text
    }

    /// How busy each was all the time, in words that follow others.
    pub(super) fn in_all(&self) -> String {
        self.described(&self.began, &self.devices.look())
    }

    /// How busy each was all the time, 0 to 1: least and most, by name.
    pub(super) fn figures(&self) -> Vec<(String, f64)> {
        let shares = self.shares(&self.began, &self.devices.look());
        let named = shares.into_iter().map(|(name, [least, most])| {
            [(format!("{name}_busy_least"), least), (format!("{name}_busy_most"), most)]
        });
        named.flatten().collect()
    }

    fn described(&self, from: &Look, to: &Look) -> String {
        let mut text = String::new();
        for (name, shares) in self.shares(from, to) {
            let [least, most] = shares.map(|share| (100.0 * share).round());
            let least = if least < most { format!("{least:.0} to ") } else { String::new() };
            // Text has room for more text.
            let _ = write!(text, ", {name} busy {least}{most:.0} %");
        }
        text
    }

    fn shares(&self, from: &Look, to: &Look) -> Vec<(String, [f64; 2])> {
        let seconds = to.at.duration_since(from.at).as_secs_f64().max(1e-9);
        let times = from.times.iter().zip(&to.times);
        let shares = times.map(|(from, to)| {
            [to.least - from.least, to.most - from.most]
                .map(|time| (time.as_secs_f64() / seconds).min(1.0))
        });
        self.devices.0.iter().map(|(device, _)| device.to_string()).zip(shares).collect()
    }
}

#[cfg(test)]
mod tests {
    use keiko_inference::{EncodingId, RequestBatch, Uniform};

    use super::*;

    fn section(devices: &str) -> InferenceSection {
        let text = format!("device = {devices}\nprecision = \"fp32\"\nthreads = 1\n");
        toml::from_str(&text).expect("a section")
    }

    #[test]
    fn each_device_is_named_with_what_was_counted_of_it() {
        let devices = Devices::new(&section("[\"cuda:1\", \"cuda:0\", \"cuda:1\"]"));
        let mut watch = devices.watch();
        let encoding = EncodingId::Dlshogi57;
        let mut used = devices.timed(Device::Cuda(1), Uniform::new(encoding));
        assert_eq!(watch.recently(), ", cuda:0 busy 0 %, cuda:1 busy 0 %");
        used.submit(RequestBatch::new(encoding, 16)).expect("a ticket");
        let out = Instant::now();
        while out.elapsed() < out.duration_since(watch.began.at) {}
        let text = watch.recently();
        assert!(text.starts_with(", cuda:0 busy 0 %, cuda:1 busy 0 to "), "{text}");
        assert_eq!(watch.in_all().split(" to ").count(), 2, "{}", watch.in_all());
        let figures = watch.figures();
        let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["cuda:0_busy_least", "cuda:0_busy_most", "cuda:1_busy_least", "cuda:1_busy_most"]
        );
        let [unused_least, unused_most, least, most] = [0, 1, 2, 3].map(|i| figures[i].1);
        assert!(unused_least + unused_most + least < 1e-9, "{figures:?}");
        assert!((0.3..=1.0).contains(&most), "{figures:?}");
    }
}
