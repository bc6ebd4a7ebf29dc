//! Which site tables hold for a host and a path (C13, C15, C24). What they do is the operations'.

use serde_json::Value;

use crate::data::{field, text, texts};
use crate::hashing::{Map, Set};
use crate::host;
use crate::names::Names;
use crate::suffixes::Suffixes;

/// Labels from the right that `name.*` may need: the name and the longest suffix there is.
const NAME_AND_SUFFIX: usize = 6;

pub struct Site {
    path: Box<[u8]>,
    pub drop: Names,
    pub keep: Names,
    pub path_drop: Vec<Box<[u8]>>,
    pub target: Vec<Box<[u8]>>,
    pub target_path: Box<[u8]>,
    pub target_scheme: Box<[u8]>,
}

#[derive(Default)]
pub struct Sites {
    all: Vec<Site>,
    by_host: Map<Vec<u16>>,
    by_name: Map<Vec<u16>>,
    /// Of each table a label that its hosts have: a host without any falls under no table.
    telling: Set,
    deepest: usize,
}

impl Sites {
    pub fn new(tables: &[Value]) -> Result<Sites, String> {
        let mut sites = Sites { deepest: NAME_AND_SUFFIX, ..Sites::default() };
        for table in tables {
            let place = u16::try_from(sites.all.len()).map_err(|_| "too many site tables")?;
            sites.all.push(Site::new(table)?);
            for host in texts(field(table, "host")?)? {
                sites.add(host, place);
            }
        }
        Ok(sites)
    }

    fn add(&mut self, host: &str, place: u16) {
        if let Some(name) = host.strip_suffix(".*") {
            self.telling.insert(name.as_bytes().into());
            self.by_name.entry(name.as_bytes().into()).or_default().push(place);
        } else {
            let labels = host.rsplit_once('.').map_or(host, |(labels, _)| labels);
            let longest = labels.rsplit('.').max_by_key(|label| label.len()).unwrap_or(host);
            self.telling.insert(longest.as_bytes().into());
            self.deepest = self.deepest.max(host.matches('.').count() + 1);
            self.by_host.entry(host.as_bytes().into()).or_default().push(place);
        }
    }

    /// The tables of a host, the most specific first, put into `found`.
    pub fn find(&self, host: &[u8], suffixes: &Suffixes, found: &mut Vec<u16>) {
        found.clear();
        if !self.may_know(host) {
            return;
        }
        let labels = host.split(|&byte| byte == b'.');
        let count = labels.clone().count();
        let mut start = 0;
        for (i, label) in labels.enumerate() {
            let parent = &host[start..];
            start = (start + label.len() + 1).min(host.len());
            if count - i > self.deepest {
                continue;
            }
            found.extend(self.by_host.get(parent).into_iter().flatten());
            let suffix = &host[start..];
            if !suffix.is_empty()
                && let Some(named) = self.by_name.get(label)
                && suffixes.is_suffix(suffix)
            {
                found.extend(named);
            }
        }
    }

    /// Has the host a telling label? All its dots are looked for at once: to guess where each label
    /// ends would take longer.
    fn may_know(&self, host: &[u8]) -> bool {
        if host.len() > host::SHORT {
            return true;
        }
        let mut dots = host::places(host, b'.');
        let mut start = 0;
        while dots != 0 {
            let end = dots.trailing_zeros() as usize;
            if self.telling.contains(&host[start..end]) {
                return true;
            }
            start = end + 1;
            dots &= dots - 1;
        }
        self.telling.contains(&host[start..])
    }

    /// Those of the tables found whose path is the path's beginning.
    pub fn of<'a>(
        &'a self,
        found: &'a [u16],
        path: &'a [u8],
    ) -> impl Iterator<Item = &'a Site> + Clone {
        let sites = found.iter().map(|&place| &self.all[usize::from(place)]);
        sites.filter(move |site| path.starts_with(&site.path))
    }
}

impl Site {
    fn new(table: &Value) -> Result<Site, String> {
        let listed = |key: &str| table.get(key).map_or(Ok(Vec::new()), texts);
        let bytes =
            |key: &str| table.get(key).map_or(Ok(""), text).map(|text| text.as_bytes().into());
        let all = |key: &str| {
            let entries = listed(key)?.into_iter();
            Ok::<_, String>(entries.map(|entry| entry.as_bytes().into()).collect())
        };
        Ok(Site {
            path: bytes("path")?,
            drop: Names::new(listed("drop")?.into_iter()),
            keep: Names::new(listed("keep")?.into_iter()),
            path_drop: all("path_drop")?,
            target: all("target")?,
            target_path: bytes("target_path")?,
            target_scheme: bytes("target_scheme")?,
        })
    }
}
