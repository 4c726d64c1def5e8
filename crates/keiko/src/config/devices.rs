//! Where positions are evaluated.

use std::fmt;

use keiko_network::Device;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One device, or several of a kind between which workers are divided: in TOML a name or a list of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Devices(Vec<Device>);

impl Devices {
    /// The device of a worker: worker `i` has device `i` mod their number.
    pub(crate) fn of(&self, worker: usize) -> Device {
        self.0[worker % self.0.len()]
    }

    /// All of them, at least one.
    pub(crate) fn all(&self) -> &[Device] {
        &self.0
    }

    /// The first alone: what is computed on a device depends on its kind only.
    pub(super) fn first_alone(&self) -> Self {
        Self(vec![self.of(0)])
    }
}

impl From<Device> for Devices {
    fn from(device: Device) -> Self {
        Self(vec![device])
    }
}

impl fmt::Display for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(Device::to_string).collect();
        f.write_str(&names.join(", "))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

impl Serialize for Devices {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0[..] {
            [one] => Names::One(one.to_string()),
            several => Names::Several(several.iter().map(Device::to_string).collect()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Devices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Names::deserialize(deserializer)
            .map_err(|_| D::Error::custom("device is neither a name nor a list of names"))?;
        let names = match names {
            Names::One(name) => vec![name],
            Names::Several(names) => names,
        };
        let devices: Result<Vec<Device>, _> = names.iter().map(|name| name.parse()).collect();
        let devices = devices.map_err(D::Error::custom)?;
        let is_cpu = |device: &Device| *device == Device::Cpu;
        match devices.first() {
            None => Err(D::Error::custom("device = [] names no device")),
            Some(first) if devices.iter().any(|it| is_cpu(it) != is_cpu(first)) => {
                Err(D::Error::custom(
                    "device lists a CPU and a GPU: they round differently, and games would depend on who plays them",
                ))
            }
            Some(_) => Ok(Self(devices)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Section {
        device: Devices,
    }

    #[test]
    fn a_name_or_a_list_of_one_kind_is_read_and_workers_go_round() {
        for (text, shown) in [
            ("device = \"cpu\"\n", "cpu"),
            ("device = [\"cuda:0\", \"cuda:3\"]\n", "cuda:0, cuda:3"),
            ("device = [\"cpu\", \"cpu\"]\n", "cpu, cpu"),
        ] {
            let section: Section = toml::from_str(text).expect("devices");
            assert_eq!(toml::to_string(&section).expect("TOML"), text);
            assert_eq!(section.device.to_string(), shown);
        }
        let two: Section = toml::from_str("device = [\"cuda:0\", \"cuda:3\"]").expect("devices");
        assert_eq!(
            [0, 1, 2, 3].map(|worker| two.device.of(worker)),
            [0, 3, 0, 3].map(Device::Cuda)
        );
        assert_eq!(two.device.first_alone(), Devices::from(Device::Cuda(0)));
        for (text, problem) in [
            ("device = []", "names no device"),
            ("device = 3", "neither a name nor a list"),
            ("device = \"gpu\"", "\"gpu\" is no device"),
            ("device = [\"cuda:0\", \"cuda:x\"]", "\"cuda:x\" is no device"),
            ("device = [\"cpu\", \"cuda:0\"]", "a CPU and a GPU"),
        ] {
            let error = toml::from_str::<Section>(text).expect_err(text).to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
