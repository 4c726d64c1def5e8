//! Contests between hashing backends and reference players, games between scripted players, and yardsticks.

#[cfg(test)]
mod gate;
#[cfg(test)]
mod referee;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod yardstick;
