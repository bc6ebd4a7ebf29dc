//! One URL taken apart, on its way through the operations. It decides nothing.
//! Pieces and fragment are places in a text that only grows while one URL is at work.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scheme {
    #[default]
    Http,
    Https,
    /// Not compared (C23).
    None,
}

impl Scheme {
    pub fn text(self) -> &'static str {
        match self {
            Scheme::Http => "http://",
            Scheme::Https => "https://",
            Scheme::None => "",
        }
    }

    pub fn default_port(self) -> Option<u16> {
        match self {
            Scheme::Http => Some(80),
            Scheme::Https => Some(443),
            Scheme::None => None,
        }
    }
}

/// A piece of the query: its bytes, and where in them its name ends.
#[derive(Clone, Debug)]
pub struct Piece {
    pub bytes: Range<usize>,
    pub name_end: usize,
    pub has_percent: bool,
}

impl Piece {
    pub fn new(text: &[u8], bytes: Range<usize>, has_percent: bool) -> Piece {
        let name = text[bytes.clone()].iter().position(|&byte| byte == b'=');
        let name_end = name.map_or(bytes.end, |length| bytes.start + length);
        Piece { bytes, name_end, has_percent }
    }

    pub fn name<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.bytes.start..self.name_end]
    }

    /// What stands behind the first `=`.
    pub fn value<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[(self.name_end + 1).min(self.bytes.end)..self.bytes.end]
    }

    pub fn whole<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.bytes.clone()]
    }
}

/// What may be in a path; where a bit is not set, it surely is not.
pub const PERCENT: u16 = 1 << 5;
pub const SEMICOLON: u16 = 1 << 6;
/// A slash with another, a dot or a percent sign behind it.
pub const ODD: u16 = 1 << 7;

pub const CREDENTIALS: u8 = 1;
pub const UNKNOWN_PARAMETER: u8 = 2;

/// A scheme with its slashes, a port with its colon, and the mark of a fragment.
const MARKS: usize = "https://:65535#".len();

#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub scheme: Scheme,
    pub host: Vec<u8>,
    pub port: Option<u16>,
    pub path: Vec<u8>,
    pub in_path: u16,
    pub query: Vec<Piece>,
    pub fragment: Range<usize>,
    pub flags: u8,
    /// The dropped fragment, once one has been looked for.
    pub fragment_note: Option<Option<Range<usize>>>,
    /// The name of the page parameter, once one has been looked for.
    pub page: Option<Option<Range<usize>>>,
}

impl Parts {
    /// How long the URL can be at most, once it is put together.
    pub fn longest(&self) -> usize {
        let pieces: usize = self.query.iter().map(|piece| piece.bytes.len() + 1).sum();
        MARKS + self.host.len() + self.path.len() + pieces + self.fragment.len()
    }

    /// The parts put together again (C3).
    pub fn write(&self, text: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(self.scheme.text().as_bytes());
        out.extend_from_slice(&self.host);
        self.write_port(out);
        out.extend_from_slice(&self.path);
        self.write_query(text, out);
        if !self.fragment.is_empty() {
            out.push(b'#');
            out.extend_from_slice(&text[self.fragment.clone()]);
        }
    }

    pub fn write_port(&self, out: &mut Vec<u8>) {
        if let Some(port) = self.port {
            out.push(b':');
            out.extend_from_slice(port.to_string().as_bytes());
        }
    }

    pub fn write_query(&self, text: &[u8], out: &mut Vec<u8>) {
        for (i, piece) in self.query.iter().enumerate() {
            out.push(if i == 0 { b'?' } else { b'&' });
            out.extend_from_slice(piece.whole(text));
        }
    }

    pub fn copy_from(&mut self, other: &Parts) {
        self.scheme = other.scheme;
        self.host.clone_from(&other.host);
        self.port = other.port;
        self.path.clone_from(&other.path);
        self.in_path = other.in_path;
        self.query.clone_from(&other.query);
        self.fragment = other.fragment.clone();
    }
}
