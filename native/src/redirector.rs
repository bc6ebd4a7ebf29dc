//! Redirectors that carry their target in the open: what the target is (C24).
//! Whether it is followed, and how deep, is the engine's loop.

use crate::operations::{Desk, Tables};
use crate::outcome::Stop;
use crate::parts::Parts;
use crate::scan;
use crate::sites::Site;
use crate::triplets;

/// Reads the target into `inner`, where there is one that is an http(s) URL.
pub fn target(
    tables: &Tables,
    desk: &mut Desk,
    parts: &Parts,
    inner: &mut Parts,
) -> Result<bool, Stop> {
    desk.find_sites(tables, &parts.host);
    if desk.found.is_empty() {
        return Ok(false);
    }
    let found = desk.found.clone();
    for site in tables.sites.of(&found, &parts.path) {
        let Some(spelled) = spelled(parts, &desk.text, site) else { continue };
        match scan::read(&spelled, &tables.hosts, desk, inner) {
            Ok(()) => {
                desk.forget_sites();
                return Ok(true);
            }
            Err(Stop::HandBack) => return Err(Stop::HandBack),
            Err(Stop::Refused(_)) => {}
        }
    }
    Ok(false)
}

fn spelled(parts: &Parts, text: &[u8], site: &Site) -> Option<Vec<u8>> {
    if !site.target_path.is_empty() {
        let rest = parts.path.strip_prefix(&*site.target_path)?;
        let mut spelled = [&site.target_scheme, b"://".as_slice(), rest].concat();
        parts.write_query(text, &mut spelled);
        return Some(spelled);
    }
    let of_name = |name: &[u8]| parts.query.iter().find(|piece| piece.name(text) == name);
    let piece = site.target.iter().find_map(|name| of_name(name))?;
    Some(triplets::decoded(piece.value(text)).into_owned())
}
