//! Reads a plain URL as browsers do, each byte once (C1, C2). What is not plain is handed back:
//! an odd host, tabs and newlines where they matter, another number of slashes.

use crate::authority;
use crate::hosts::Hosts;
use crate::operations::Desk;
use crate::outcome::{Code, Stop};
use crate::parts::{ODD, PERCENT, Parts, Piece, SEMICOLON, Scheme};
use crate::path;

pub const LIMIT: usize = 64 * 1024;
/// A text of this length stays under the limit even if every byte of it becomes a triplet.
const SURELY_SHORT: usize = LIMIT / 3 - ROOM;
/// For what parsing may add elsewhere, and for credentials as they are written.
const ROOM: usize = 4096;
const _: () = assert!(ROOM >= 4 * authority::LONGEST_CREDENTIALS);

const SLASH: u16 = 1;
/// Behind a slash it makes a path odd: this bit is SLASH, moved by one.
const ODD_BEHIND_SLASH: u16 = 1 << 1;
const ENDS_PATH_RUN: u16 = 1 << 2;
const ENDS_PIECE_RUN: u16 = 1 << 3;
const ENDS_FRAGMENT_RUN: u16 = 1 << 4;
/// In some part of a URL it becomes a triplet.
const ESCAPED: u16 = 1 << 8;

/// What each byte may be. A run of bytes that are copied as they stand ends where a bit says so.
static CLASS: [u16; 256] = classes();

const fn classes() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte <= 0x20 || byte >= 0x7f {
            table[byte] = ENDS_PATH_RUN | ENDS_PIECE_RUN | ENDS_FRAGMENT_RUN | ESCAPED;
        }
        byte += 1;
    }
    table = with(table, b"\"<>`{}^?#\\", ENDS_PATH_RUN);
    table = with(table, b"\"<>'#&", ENDS_PIECE_RUN);
    table = with(table, b"\"<>`", ENDS_FRAGMENT_RUN);
    table = with(table, b"\"<>`{}^'", ESCAPED);
    table = with(table, b"%", PERCENT);
    table = with(table, b";", SEMICOLON);
    table = with(table, b"/", SLASH);
    with(table, b"./%", ODD_BEHIND_SLASH)
}

const fn with(mut table: [u16; 256], bytes: &[u8], bits: u16) -> [u16; 256] {
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] |= bits;
        i += 1;
    }
    table
}

/// The parts of an absolute http or https URL. The desk takes its pieces and its fragment.
pub fn read(raw: &[u8], hosts: &Hosts, desk: &mut Desk, parts: &mut Parts) -> Result<(), Stop> {
    if raw.len() > SURELY_SHORT {
        check_length(raw)?;
    }
    let bare = trimmed(raw);
    let (scheme, rest) = scheme(bare).ok_or_else(|| without_scheme(bare))?;
    parts.scheme = scheme;
    parts.flags = 0;
    parts.fragment_note = None;
    parts.page = None;
    let rest = authority::read(rest, hosts, &mut desk.odd_host, parts)?;
    let text = &mut desk.text;
    let rest = read_path(rest, parts);
    let rest = read_query(rest, text, parts);
    read_fragment(rest, text, parts);
    Ok(())
}

/// Is what the parser would write surely under the limit?
fn check_length(raw: &[u8]) -> Result<(), Stop> {
    if raw.len() > LIMIT {
        return Err(Stop::Refused(Code::TooLong));
    }
    let escaped = raw.iter().filter(|&&byte| CLASS[usize::from(byte)] & ESCAPED != 0).count();
    if raw.len() + 2 * escaped + ROOM > LIMIT { Err(Stop::HandBack) } else { Ok(()) }
}

fn trimmed(raw: &[u8]) -> &[u8] {
    let start = raw.iter().position(|&byte| byte > b' ').unwrap_or(raw.len());
    let end = raw.iter().rposition(|&byte| byte > b' ').map_or(start, |last| last + 1);
    &raw[start..end]
}

fn scheme(bare: &[u8]) -> Option<(Scheme, &[u8])> {
    let (name, rest) = bare.split_at_checked(4)?;
    if !name.eq_ignore_ascii_case(b"http") {
        return None;
    }
    let (scheme, rest) = match rest.first()? {
        b's' | b'S' => (Scheme::Https, &rest[1..]),
        _ => (Scheme::Http, rest),
    };
    let mut rest = rest.strip_prefix(b"://")?;
    while let Some(b'/' | b'\\') = rest.first() {
        rest = &rest[1..];
    }
    Some((scheme, rest))
}

/// Why a text that does not begin like an http URL is refused, if that is certain (C4).
fn without_scheme(bare: &[u8]) -> Stop {
    if bare.is_empty() {
        return Stop::Refused(Code::Empty);
    }
    if bare.iter().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r')) {
        return Stop::HandBack;
    }
    let end = bare.iter().position(|byte| !is_scheme_byte(*byte)).unwrap_or(bare.len());
    if !bare[0].is_ascii_alphabetic() || bare.get(end) != Some(&b':') {
        return Stop::Refused(Code::Relative);
    }
    match &bare[..end] {
        name if name.eq_ignore_ascii_case(b"http") => Stop::HandBack,
        name if name.eq_ignore_ascii_case(b"https") => Stop::HandBack,
        _ if bare.len() > SURELY_SHORT => Stop::HandBack,
        _ => Stop::Refused(Code::Scheme),
    }
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// The path, its dot segments resolved; what stands behind it.
fn read_path<'a>(rest: &'a [u8], parts: &mut Parts) -> &'a [u8] {
    let out = &mut parts.path;
    out.clear();
    let (mut seen, mut odd, mut before) = (0, 0, 0);
    if !matches!(rest.first(), Some(b'/' | b'\\')) {
        out.push(b'/');
    }
    let mut start = 0;
    loop {
        let mut end = start;
        while let Some(&byte) = rest.get(end) {
            let class = CLASS[usize::from(byte)];
            if class & ENDS_PATH_RUN != 0 {
                break;
            }
            odd |= (before << 1) & class;
            seen |= class;
            before = class;
            end += 1;
        }
        out.extend_from_slice(&rest[start..end]);
        match rest.get(end) {
            None | Some(b'?' | b'#') => {
                start = end;
                break;
            }
            Some(b'\\') => {
                out.push(b'/');
                seen |= ODD;
            }
            Some(&byte) => {
                escape(byte, out);
                seen |= ODD | PERCENT;
            }
        }
        start = end + 1;
    }
    if odd & ODD_BEHIND_SLASH != 0 {
        seen |= ODD;
    }
    parts.in_path = seen & (PERCENT | SEMICOLON | ODD);
    if seen & ODD != 0 {
        path::resolve_dots(out);
    }
    &rest[start..]
}

/// A byte that may not stand there as it is; tabs and newlines are nothing to a browser.
fn escape(byte: u8, out: &mut Vec<u8>) {
    if !matches!(byte, b'\t' | b'\n' | b'\r') {
        triplet(byte, out);
    }
}

pub fn triplet(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
    out.extend_from_slice(&[b'%', DIGITS[high], DIGITS[low]]);
}

/// The pieces between the `&`s, empty ones left out; what stands behind them.
fn read_query<'a>(rest: &'a [u8], text: &mut Vec<u8>, parts: &mut Parts) -> &'a [u8] {
    parts.query.clear();
    if rest.first() != Some(&b'?') {
        return rest;
    }
    let mut start = 1;
    let mut first = text.len();
    let mut seen = 0;
    loop {
        let mut end = start;
        while let Some(&byte) = rest.get(end) {
            let class = CLASS[usize::from(byte)];
            if class & ENDS_PIECE_RUN != 0 {
                break;
            }
            seen |= class;
            end += 1;
        }
        text.extend_from_slice(&rest[start..end]);
        let ending = rest.get(end);
        if matches!(ending, None | Some(b'&' | b'#')) {
            if text.len() > first {
                let piece = Piece::new(text, first..text.len(), seen & PERCENT != 0);
                parts.query.push(piece);
            }
            if ending != Some(&b'&') {
                return &rest[end..];
            }
            first = text.len();
            seen = 0;
        } else {
            escape(rest[end], text);
            seen |= PERCENT;
        }
        start = end + 1;
    }
}

fn read_fragment(rest: &[u8], text: &mut Vec<u8>, parts: &mut Parts) {
    let start = text.len();
    for &byte in rest.iter().skip(1) {
        if CLASS[usize::from(byte)] & ENDS_FRAGMENT_RUN == 0 {
            text.push(byte);
        } else {
            escape(byte, text);
        }
    }
    parts.fragment = start..text.len();
}
