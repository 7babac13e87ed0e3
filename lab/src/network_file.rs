//! Network files that commands are given.

use std::path::Path;
use std::sync::Arc;

use nnue::Network;

use crate::Error;

/// Reads a network file.
///
/// # Errors
/// If it cannot be read or is not a network.
pub(crate) fn read_network(path: &Path) -> Result<Arc<Network>, Error> {
    let bytes = std::fs::read(path).map_err(Error::file(path))?;
    let network = Network::from_bytes(&bytes);
    network.map(Arc::new).map_err(|error| Error::content(path, error.to_string()))
}
