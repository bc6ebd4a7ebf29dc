//! Lists of parameter names: does a name match (C7).
//! What happens to a parameter that matches is the operation's business.

use crate::hashing::Set;
use crate::triplets;

const LETTERS: &str = "{letters}";
/// Longer words go to the heap.
const SHORT: usize = 64;

/// A compiled list.
#[derive(Default)]
pub struct Names {
    exact: Set,
    begins: Vec<Box<[u8]>>,
    /// Does some entry of `begins` start with this byte?
    begins_with: [u64; 4],
    inside: Vec<(Place, Box<[u8]>)>,
}

enum Place {
    End,
    Anywhere,
    AmongLetters,
}

impl Names {
    pub fn new<'a>(entries: impl Iterator<Item = &'a str>) -> Names {
        let mut names = Names::default();
        for entry in entries {
            names.add(&entry.to_ascii_lowercase());
        }
        names
    }

    fn add(&mut self, entry: &str) {
        if let Some(inside) = entry.strip_prefix(LETTERS) {
            let inside = inside.strip_suffix(LETTERS).unwrap_or(inside);
            self.inside.push((Place::AmongLetters, inside.as_bytes().into()));
        } else if entry.starts_with('*') {
            let place = if entry.ends_with('*') { Place::Anywhere } else { Place::End };
            self.inside.push((place, entry.trim_matches('*').as_bytes().into()));
        } else if let Some(begin) = entry.strip_suffix('*') {
            let first = begin.as_bytes()[0];
            self.begins_with[usize::from(first >> 6)] |= 1 << (first & 63);
            self.begins.push(begin.as_bytes().into());
        } else {
            self.exact.insert(entry.as_bytes().into());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.begins.is_empty() && self.inside.is_empty()
    }

    /// Does a name match, as `with_name` gives it?
    pub fn has(&self, name: &[u8]) -> bool {
        (!self.exact.is_empty() && self.exact.contains(name))
            || self.has_beginning_of(name)
            || (!self.inside.is_empty() && self.has_part_of(name))
    }

    fn has_beginning_of(&self, name: &[u8]) -> bool {
        let Some(&first) = name.first() else { return false };
        self.begins_with[usize::from(first >> 6)] & 1 << (first & 63) != 0
            && self.begins.iter().any(|begin| name.starts_with(begin))
    }

    fn has_part_of(&self, name: &[u8]) -> bool {
        self.inside.iter().any(|(place, text)| match place {
            Place::End => name.ends_with(text),
            Place::Anywhere => holds(name, text),
            Place::AmongLetters => holds(name, text) && name.iter().all(u8::is_ascii_lowercase),
        })
    }
}

fn holds(name: &[u8], text: &[u8]) -> bool {
    text.is_empty() || name.windows(text.len()).any(|window| window == text)
}

/// Asks something of a spelled name as lists see it: percent-decoded, in small letters.
pub fn with_name<T>(spelled: &[u8], ask: impl FnOnce(&[u8]) -> T) -> T {
    if !spelled.contains(&b'%') {
        return with_small(spelled, ask);
    }
    let mut name = Vec::with_capacity(spelled.len());
    triplets::decode(spelled, &mut name);
    with_small(&name, ask)
}

/// Asks something of a word in small letters.
pub fn with_small<T>(word: &[u8], ask: impl FnOnce(&[u8]) -> T) -> T {
    if word.len() > SHORT {
        return ask(&word.to_ascii_lowercase());
    }
    let mut small = [0; SHORT];
    let small = &mut small[..word.len()];
    small.copy_from_slice(word);
    small.make_ascii_lowercase();
    ask(small)
}
