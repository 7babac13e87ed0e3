//! The network inside the binary.

use std::sync::{Arc, LazyLock};

use crate::Network;

static FILE: &[u8] = include_bytes!(env!("HALCYON_NETWORK"));

/// The network that is part of the program.
///
/// # Panics
///
/// When the file that was embedded is not a network: a build that cannot play at all.
#[must_use]
pub fn embedded() -> &'static Arc<Network> {
    static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
        let network = Network::from_bytes(FILE);
        Arc::new(network.expect("the embedded file is a network"))
    });
    &NETWORK
}
