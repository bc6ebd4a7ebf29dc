//! How `tk` reads a plain URL (T1, T2): in small letters, in pieces. Its host is a name in ASCII;
//! credentials, blanks and whatever the package has a way of its own with are handed back.

use crate::letters::Letters;
use crate::outcome::{Code, Stop};
use crate::scan::LIMIT;

/// A URL in small letters, and where its pieces are.
pub struct Pieces<'a> {
    pub host: &'a [u8],
    /// The port with its colon, or nothing.
    pub behind: &'a [u8],
    pub path: &'a [u8],
    pub query: &'a [u8],
}

/// Puts the text in small letters into `small`.
pub fn lower(raw: &[u8], letters: &Letters, small: &mut Vec<u8>) -> Result<(), Stop> {
    small.clear();
    match raw.len() {
        0 => return Err(Stop::Refused(Code::Empty)),
        length if length > LIMIT => return Err(Stop::Refused(Code::TooLong)),
        _ => {}
    }
    if raw.iter().any(|&byte| byte <= b' ' || byte == 0x7f) {
        return Err(Stop::HandBack);
    }
    if raw.is_ascii() {
        small.extend_from_slice(raw);
        small.make_ascii_lowercase();
        return Ok(());
    }
    let text = str::from_utf8(raw).map_err(|_| Stop::HandBack)?;
    if !text.chars().all(|char| char.is_ascii() || letters.is_plain(char)) {
        return Err(Stop::HandBack);
    }
    letters.write_small(text, small)
}

/// The pieces of a text in small letters.
pub fn split(small: &[u8]) -> Result<Pieces<'_>, Stop> {
    let (has_scheme, rest) = scheme(small)?;
    let end = rest.iter().position(|&byte| !is_host_byte(byte)).unwrap_or(rest.len());
    let host = &rest[..end];
    if !is_name(host) {
        return Err(Stop::HandBack);
    }
    let rest = &rest[end..];
    let length = port(rest);
    if length > 0 && !has_scheme {
        return Err(Stop::HandBack);
    }
    let (behind, rest) = rest.split_at(length);
    let (rest, fragment) = cut(rest, b'#');
    let (path, query) = cut(rest, b'?');
    let is_cut_short = path.is_empty() && !fragment.is_empty();
    if !matches!(path.first(), None | Some(b'/')) || is_cut_short {
        return Err(Stop::HandBack);
    }
    let query = query.strip_prefix(b"?").unwrap_or(query);
    Ok(Pieces { host, behind, path: without_parameters(path), query })
}

/// What stands behind the scheme, if there is one: a missing one is added.
fn scheme(small: &[u8]) -> Result<(bool, &[u8]), Stop> {
    for scheme in [b"https://".as_slice(), b"http://"] {
        if let Some(rest) = small.strip_prefix(scheme) {
            return Ok((true, rest));
        }
    }
    if matches!(small[0], b'/' | b'?' | b'#') {
        return Err(Stop::Refused(Code::Relative));
    }
    let is_scheme_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let end = small.iter().position(|byte| !is_scheme_byte(byte)).unwrap_or(small.len());
    if small[0].is_ascii_lowercase() && small.get(end) == Some(&b':') {
        let is_http = matches!(&small[..end], b"http" | b"https");
        return Err(if is_http { Stop::HandBack } else { Stop::Refused(Code::Scheme) });
    }
    Ok((false, small))
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.')
}

/// Two labels or more, none of them empty; the last begins with a letter, has another character
/// and no `_`: no browser takes that for an address.
fn is_name(host: &[u8]) -> bool {
    let mut labels = host.rsplit(|&byte| byte == b'.');
    let Some([first, rest @ ..]) = labels.next() else { return false };
    let last_is_fine = first.is_ascii_lowercase() && !rest.is_empty() && !rest.contains(&b'_');
    last_is_fine && host.contains(&b'.') && labels.all(|label| !label.is_empty())
}

/// How long the port is, with its colon: two to five digits.
fn port(rest: &[u8]) -> usize {
    let Some((b':', digits)) = rest.split_first() else { return 0 };
    let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (2..=5).contains(&count) { 1 + count } else { 0 }
}

/// What stands before the first of these bytes, and the rest with it.
fn cut(text: &[u8], byte: u8) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&one| one == byte).unwrap_or(text.len()))
}

/// In the last segment everything from its first `;` on goes.
fn without_parameters(path: &[u8]) -> &[u8] {
    let last = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    let end = path[last..].iter().position(|&byte| byte == b';');
    &path[..end.map_or(path.len(), |end| last + end)]
}
