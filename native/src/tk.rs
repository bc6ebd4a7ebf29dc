//! The operations of `tk` (T3 to T11), in their one order: from the pieces of a URL to its text.
//! How it is read is tk_read.rs's business.

use std::ops::Range;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::data::{field, list, text, texts};
use crate::hashing::Set;
use crate::letters::Letters;
use crate::outcome::{Code, Stop};
use crate::plan::named;
use crate::scan::triplet;
use crate::suffixes::Suffixes;
use crate::{tk_read, triplets};

const RULES: [&str; 8] = [
    "tk.drop_www",
    "tk.decode_path",
    "tk.trailing_slash",
    "tk.decode_query",
    "tk.drop_parameters",
    "tk.sort_parameters",
    "tk.drop_repeats",
    "tk.encode_query",
];

pub struct Tk {
    letters: Letters,
    listed: Set,
    begins: Vec<Box<[u8]>>,
    /// Some entry of the list is another pattern than these: then a query is handed back.
    has_patterns: bool,
    root: Root,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Registrable,
    LastTwoLabels,
}

/// What one URL at a time is worked on with.
#[derive(Default)]
pub struct Desk {
    small: Vec<u8>,
    /// Where the decoded names and values stand.
    words: Vec<u8>,
    pairs: Vec<Pair>,
    /// The host and its port, as they stand at the beginning of the url.
    parent: usize,
    root: Vec<u8>,
    parent_hash: [u8; 32],
    root_hash: [u8; 32],
}

#[derive(Clone, PartialEq)]
struct Pair {
    name: Range<usize>,
    value: Range<usize>,
}

impl Tk {
    pub fn new(data: &Value) -> Result<Tk, String> {
        let rules = list(field(data, "rules")?)?;
        let names = rules.iter().map(|op| Ok(named(op)?.0)).collect::<Result<Vec<_>, String>>()?;
        let notes = list(field(data, "notes")?)?;
        let [note] = notes else { return Err("a plan of tk has one note".into()) };
        let ("tk.roots", roots) = named(note)? else { return Err("tk notes roots".into()) };
        if names != RULES {
            return Err("the rules of tk are not those this crate knows".into());
        }
        let rules = texts(field(field(data, "pinned")?, "unicode")?)?;
        let mut tk = Tk {
            letters: Letters::new(rules.into_iter())?,
            listed: Set::default(),
            begins: Vec::new(),
            has_patterns: false,
            root: match text(field(roots, "root")?)? {
                "registrable" => Root::Registrable,
                "last-two-labels" => Root::LastTwoLabels,
                other => return Err(format!("this crate knows no root {other:?}")),
            },
        };
        for op in list(field(data, "rules")?)? {
            if let ("tk.drop_parameters", args) = named(op)? {
                texts(field(args, "names")?)?.into_iter().for_each(|name| tk.list(name));
            }
        }
        Ok(tk)
    }

    fn list(&mut self, name: &str) {
        let is_pattern = |text: &str| text.contains(['*', '?', '[']);
        match name.strip_suffix('*') {
            Some(begin) if !is_pattern(begin) => self.begins.push(begin.as_bytes().into()),
            None if !is_pattern(name) => {
                self.listed.insert(name.as_bytes().into());
            }
            _ => self.has_patterns = true,
        }
    }

    /// The text that is compared.
    pub fn run(&self, raw: &[u8], desk: &mut Desk, url: &mut Vec<u8>) -> Result<(), Stop> {
        tk_read::lower(raw, &self.letters, &mut desk.small)?;
        let pieces = tk_read::split(&desk.small)?;
        url.clear();
        url.extend_from_slice(pieces.host.strip_prefix(b"www.").unwrap_or(pieces.host));
        url.extend_from_slice(pieces.behind);
        desk.parent = url.len();
        decode(pieces.path, url);
        let slashes = url[desk.parent..].iter().rev().take_while(|&&byte| byte == b'/').count();
        url.truncate(url.len() - slashes);
        desk.words.clear();
        desk.pairs.clear();
        for piece in pieces.query.split(|&byte| byte == b'&').filter(|piece| !piece.is_empty()) {
            let pair = pair(piece, &mut desk.words);
            if !self.is_listed(&desk.words[pair.name.clone()])? {
                desk.pairs.push(pair);
            }
        }
        write_query(&desk.words, &mut desk.pairs, url);
        if url.contains(&b'.') { Ok(()) } else { Err(Stop::Refused(Code::NoTld)) }
    }

    /// T7.
    fn is_listed(&self, name: &[u8]) -> Result<bool, Stop> {
        if self.has_patterns {
            return Err(Stop::HandBack);
        }
        let mut small = Vec::new();
        let name = match str::from_utf8(name) {
            Ok(text) if !text.is_ascii() || text.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                self.letters.write_small(text, &mut small)?;
                &small
            }
            _ => name,
        };
        Ok(self.listed.contains(name) || self.begins.iter().any(|begin| name.starts_with(begin)))
    }

    /// The root of the host, and the hashes of both (T11).
    pub fn annotate(&self, desk: &mut Desk, url: &[u8], suffixes: &Suffixes) {
        let parent = &url[..desk.parent];
        let wanted = match self.root {
            Root::LastTwoLabels => 2,
            Root::Registrable => 1 + suffixes.length(without_port(parent)),
        };
        let dots = parent.iter().enumerate().rev().filter(|(_, byte)| **byte == b'.');
        let start = dots.map(|(place, _)| place + 1).nth(wanted - 1).unwrap_or(0);
        desk.root.clear();
        desk.root.extend_from_slice(&parent[start..]);
        desk.parent_hash = Sha256::digest(parent).into();
        desk.root_hash = match start {
            0 => desk.parent_hash,
            _ => Sha256::digest(&desk.root).into(),
        };
    }
}

impl Desk {
    pub fn parent<'a>(&self, url: &'a str) -> (&'a str, &[u8; 32]) {
        (&url[..self.parent], &self.parent_hash)
    }

    pub fn root(&self) -> (&str, &[u8; 32]) {
        (str::from_utf8(&self.root).expect("a plain host is ASCII"), &self.root_hash)
    }
}

fn without_port(parent: &[u8]) -> &[u8] {
    let colon = parent.iter().position(|&byte| byte == b':');
    &parent[..colon.unwrap_or(parent.len())]
}

/// Percent-decodes each run of ASCII by itself; what is not UTF-8 then becomes U+FFFD (T4).
fn decode(text: &[u8], out: &mut Vec<u8>) {
    if !text.contains(&b'%') {
        out.extend_from_slice(text);
        return;
    }
    for run in text.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        let mut decoded = Vec::new();
        triplets::decode(run, &mut decoded);
        out.extend_from_slice(String::from_utf8_lossy(&decoded).as_bytes());
    }
}

/// Name and value of a piece, read as a form (T6).
fn pair(piece: &[u8], words: &mut Vec<u8>) -> Pair {
    let equals = piece.iter().position(|&byte| byte == b'=').unwrap_or(piece.len());
    let name = word(&piece[..equals], words);
    Pair { name, value: word(piece.get(equals + 1..).unwrap_or_default(), words) }
}

fn word(spelled: &[u8], words: &mut Vec<u8>) -> Range<usize> {
    let start = words.len();
    if spelled.contains(&b'+') {
        let blanks = spelled.iter().map(|&byte| if byte == b'+' { b' ' } else { byte });
        decode(&blanks.collect::<Vec<u8>>(), words);
    } else {
        decode(spelled, words);
    }
    start..words.len()
}

/// In order, without repeats, as a form (T8 to T10).
fn write_query(words: &[u8], pairs: &mut Vec<Pair>, url: &mut Vec<u8>) {
    let both = |pair: &Pair| (&words[pair.name.clone()], &words[pair.value.clone()]);
    pairs.sort_by(|a, b| both(a).cmp(&both(b)));
    pairs.dedup_by(|a, b| both(a) == both(b));
    for (i, pair) in pairs.iter().enumerate() {
        let (name, value) = both(pair);
        url.push(if i == 0 { b'?' } else { b'&' });
        write_word(name, url);
        url.push(b'=');
        write_word(value, url);
    }
}

fn write_word(word: &[u8], url: &mut Vec<u8>) {
    for &byte in word {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'-' | b'~' => url.push(byte),
            b' ' => url.push(b'+'),
            _ => triplet(byte, url),
        }
    }
}
