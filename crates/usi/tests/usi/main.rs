//! The engine seen from outside: as a library over pipes in memory, and as a process.

#[cfg(test)]
mod commands;
#[cfg(test)]
mod console;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod grammar;
#[cfg(test)]
mod loading;
#[cfg(test)]
mod noise;
#[cfg(test)]
mod positions;
#[cfg(test)]
mod process;
#[cfg(test)]
mod stubborn;
#[cfg(test)]
mod transcripts;
