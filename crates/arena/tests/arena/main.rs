//! Contests between hashing backends, and games between scripted players.

#[cfg(test)]
mod gate;
#[cfg(test)]
mod referee;
