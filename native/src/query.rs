//! The query: which pieces go, which stay, in what order (C15, C20 to C22).

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::names::{Names, with_name, with_small};
use crate::parts::{Parts, Piece};
use crate::sites::Site;
use crate::triplets;

/// The lists of `query.drop`.
pub struct Drop {
    /// The session list as well.
    pub listed: Names,
    pub keep: Names,
    pub together: Vec<Vec<Box<[u8]>>>,
}

impl Drop {
    /// What a site says comes first, the most specific before; then `keep`, then the lists (C15).
    pub fn run<'a>(
        &self,
        parts: &mut Parts,
        text: &[u8],
        here: impl Iterator<Item = &'a Site> + Clone,
    ) {
        if parts.query.is_empty() {
            return;
        }
        let groups = self.complete_groups(&parts.query, text);
        parts.query.retain(|piece| {
            named(piece, text, |name| {
                let grouped = groups.iter().any(|group| group.iter().any(|one| **one == *name));
                let is_kept =
                    || self.keep.has(name) || here.clone().any(|site| site.keep.has(name));
                (!grouped || is_kept()) && !self.goes(name, here.clone())
            })
        });
    }

    fn goes<'a>(&self, name: &[u8], here: impl Iterator<Item = &'a Site>) -> bool {
        for site in here {
            if site.keep.has(name) {
                return false;
            }
            if site.drop.has(name) {
                return true;
            }
        }
        self.listed.has(name) && !self.keep.has(name)
    }

    /// The groups of `together` of which every name is there.
    fn complete_groups(&self, query: &[Piece], text: &[u8]) -> Vec<&[Box<[u8]>]> {
        let mut complete = Vec::new();
        for group in &self.together {
            let is_there = |wanted: &[u8]| {
                query.iter().any(|piece| {
                    (piece.has_percent || piece.name(text).len() == wanted.len())
                        && named(piece, text, |name| name == wanted)
                })
            };
            if group.iter().all(|wanted| is_there(wanted)) {
                complete.push(group.as_slice());
            }
        }
        complete
    }
}

/// Asks something of a piece's name as lists see it.
fn named<T>(piece: &Piece, text: &[u8], ask: impl FnOnce(&[u8]) -> T) -> T {
    let name = piece.name(text);
    if piece.has_percent { with_name(name, ask) } else { with_small(name, ask) }
}

/// The lists of `query.pagination`.
pub struct Pagination {
    pub names: Names,
    pub below_root: Names,
}

impl Pagination {
    /// A page's number goes; the first name is noted as spelled (C20).
    pub fn run(&self, parts: &mut Parts, text: &[u8]) {
        let at_root = matches!(parts.path.as_slice(), b"" | b"/");
        let mut first = None;
        parts.query.retain(|piece| {
            let page = with_name(piece.name(text), |name| {
                self.names.has(name) && !(at_root && self.below_root.has(name))
            }) && is_number(piece.value(text));
            if page && first.is_none() {
                first = Some(piece.bytes.start..piece.name_end);
            }
            !page
        });
        if first.is_some() || parts.page.is_none() {
            parts.page = Some(first);
        }
    }
}

fn is_number(value: &[u8]) -> bool {
    let value = triplets::decoded(value);
    !value.is_empty() && value.iter().all(u8::is_ascii_digit)
}

/// By name, then value, then the whole piece, as spelled bytes (C21).
pub fn sort(parts: &mut Parts, text: &[u8]) {
    if parts.query.len() > 1 {
        parts.query.sort_by(|a, b| spelled_order(a, b, text));
    }
}

fn spelled_order(a: &Piece, b: &Piece, text: &[u8]) -> Ordering {
    let by_name = a.name(text).cmp(b.name(text));
    let by_value = || a.value(text).cmp(b.value(text));
    by_name.then_with(by_value).then_with(|| a.whole(text).cmp(b.whole(text)))
}

/// Of pieces spelled the same the first stays (C22).
pub fn drop_repeats(parts: &mut Parts, text: &[u8]) {
    let query = &mut parts.query;
    if query.len() > 16 {
        let mut seen = HashSet::new();
        query.retain(|piece| seen.insert(piece.whole(text)));
        return;
    }
    let mut kept = 0;
    for i in 0..query.len() {
        if !query[..kept].iter().any(|one| one.whole(text) == query[i].whole(text)) {
            query.swap(kept, i);
            kept += 1;
        }
    }
    query.truncate(kept);
}
