//! Contests between hashing backends, and games between scripted players.

#[cfg(test)]
mod gate;
mod referee;
#[cfg(test)]
mod reference;
mod yardstick;
