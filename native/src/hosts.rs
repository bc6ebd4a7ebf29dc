//! Odd hosts that Python has told: each as it was spelled, and as browsers write it. Hosts come
//! again and again; so what cannot be worked out here is asked once.

use std::collections::HashMap;
use std::sync::RwLock;

use crate::host;
use crate::outcome::Stop;

/// Enough for the hosts of a crawl that come again; then all are forgotten.
const MOST: usize = 4096;
/// No name in the DNS is longer, and what is longer is not kept in memory.
const LONGEST: usize = 1024;

/// As spelled, and as written.
type Told = HashMap<Box<[u8]>, Box<[u8]>>;

#[derive(Default)]
pub struct Hosts(RwLock<Told>);

impl Hosts {
    /// Puts the host that was told for this spelling into `host`; one that was not told is left in
    /// `odd`, for who can ask.
    pub fn put(&self, spelled: &[u8], odd: &mut Vec<u8>, host: &mut Vec<u8>) -> Result<(), Stop> {
        let told = self.0.read().map_err(|_| Stop::HandBack)?;
        host.clear();
        if let Some(written) = told.get(spelled) {
            host.extend_from_slice(written);
            return Ok(());
        }
        if (1..=LONGEST).contains(&spelled.len()) {
            odd.extend_from_slice(spelled);
        }
        Err(Stop::HandBack)
    }

    /// Would a browser that reads this host anew keep it?
    pub fn keeps(&self, host: &[u8], odd: &mut Vec<u8>) -> Result<(), Stop> {
        if host::is_plain(host) {
            return Ok(());
        }
        let mut written = Vec::new();
        self.put(host, odd, &mut written)?;
        if written == host { Ok(()) } else { Err(Stop::HandBack) }
    }

    /// Remembers a host, where it is a name or an IPv4 address; is it one?
    pub fn learn(&self, spelled: &[u8], written: &[u8]) -> bool {
        let Ok(mut told) = self.0.write() else { return false };
        if written.is_empty() || !host::is_written(written) || written.len() > LONGEST {
            return false;
        }
        if told.len() >= MOST {
            told.clear();
        }
        told.insert(spelled.into(), written.into());
        true
    }
}
