#![doc = include_str!("../README.md")]

mod client;
mod counters;
mod fetch;
mod limits;
mod server;
mod settings;

pub use client::{SignLayer, SignService};
pub use counters::Counters;
pub use fetch::FetchKeys;
pub use limits::AgentLimit;
pub use server::{BotLayer, BotService, RequestVerdict};
pub use settings::BotSettings;
