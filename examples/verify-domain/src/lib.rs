//! What other programs take from this example: TXT records from several resolvers, in the form that `verify` takes them.

#![allow(clippy::disallowed_methods, reason = "its library has sockets, as the program does")]

pub mod resolvers;
