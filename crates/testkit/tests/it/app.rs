//! Tests of the fake GitHub with an App.

mod client;
mod deliveries;
mod manifest;
mod repositories;
mod tokens;
