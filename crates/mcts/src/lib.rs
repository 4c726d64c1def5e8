//! Tree search that asks for evaluations and never makes them.
