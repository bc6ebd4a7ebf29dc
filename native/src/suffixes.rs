//! The public suffixes that came with the plan (C18): is a host one, how long is a host's.
//! Where the table comes from is Python's business.

use crate::hashing::Set;

#[derive(Default)]
pub struct Suffixes {
    rules: Set,
    /// The `host` of each `*.host`.
    any_below: Set,
    /// The `host` of each `!host`.
    exceptions: Set,
}

const MOST_LABELS: usize = 5;

impl Suffixes {
    pub fn new<'a>(rules: impl Iterator<Item = &'a str>) -> Suffixes {
        let mut suffixes = Suffixes::default();
        for rule in rules {
            if let Some(host) = rule.strip_prefix("*.") {
                suffixes.any_below.insert(host.as_bytes().into());
            } else if let Some(host) = rule.strip_prefix('!') {
                suffixes.exceptions.insert(host.as_bytes().into());
            } else {
                suffixes.rules.insert(rule.as_bytes().into());
            }
        }
        suffixes
    }

    /// Is the whole host a public suffix? A single label always is.
    pub fn is_suffix(&self, host: &[u8]) -> bool {
        let host = host.strip_suffix(b".").unwrap_or(host);
        if self.rules.contains(host) {
            return true;
        }
        let Some(dot) = host.iter().position(|&byte| byte == b'.') else { return true };
        self.any_below.contains(&host[dot + 1..]) && !self.exceptions.contains(host)
    }

    /// How many labels, from the right, the public suffix of a host has.
    pub fn length(&self, host: &[u8]) -> usize {
        let host = host.strip_suffix(b".").unwrap_or(host);
        let mut starts = [0; MOST_LABELS];
        let mut count = 0;
        let mut end = host.len();
        while count < MOST_LABELS {
            let dot = host[..end].iter().rposition(|&byte| byte == b'.');
            starts[count] = dot.map_or(0, |dot| dot + 1);
            count += 1;
            match dot {
                Some(dot) => end = dot,
                None => break,
            }
        }
        for length in (1..=count).rev() {
            let suffix = &host[starts[length - 1]..];
            if self.exceptions.contains(suffix) {
                return length - 1;
            }
            let below = if length > 1 { &host[starts[length - 2]..] } else { b"" };
            if self.rules.contains(suffix) || self.any_below.contains(below) {
                return length;
            }
        }
        1
    }
}
