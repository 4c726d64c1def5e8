//! Contests between hashing backends and reference players, games between scripted players, and yardsticks.

#[cfg(test)]
mod bad_engines;
#[cfg(test)]
mod gate;
#[cfg(test)]
mod gauntlet;
#[cfg(test)]
mod referee;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod yardstick;
