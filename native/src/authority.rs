//! Between the scheme's slashes and the path: credentials, host and port (C2).
//! A host that is no plain name is one that Python has told before, or the URL goes back.

use crate::host;
use crate::hosts::Hosts;
use crate::outcome::{Code, Stop};
use crate::parts::{CREDENTIALS, Parts};

/// What is longer might not stay under the limit on URLs, once it is written as triplets.
pub const LONGEST_CREDENTIALS: usize = 1024;

/// Puts host and port into the parts; gives what stands behind them. An odd host that nobody has
/// told yet is put into `odd`.
pub fn read<'a>(
    rest: &'a [u8],
    hosts: &Hosts,
    odd: &mut Vec<u8>,
    parts: &mut Parts,
) -> Result<&'a [u8], Stop> {
    let end = host::read(rest, &mut parts.host);
    match port(rest, end) {
        Some(port) if host::is_kept(&parts.host) => port.put(rest, parts),
        _ => read_odd(behind_credentials(rest, parts)?, hosts, odd, parts),
    }
}

/// A port that may be none, and where the authority ends.
struct Port {
    number: Option<u32>,
    end: usize,
}

impl Port {
    fn put<'a>(&self, rest: &'a [u8], parts: &mut Parts) -> Result<&'a [u8], Stop> {
        let default = parts.scheme.default_port();
        parts.port = match self.number.map(u16::try_from) {
            None => None,
            Some(Ok(port)) => Some(port).filter(|_| default != Some(port)),
            Some(Err(_)) => return Err(Stop::Refused(Code::Port)),
        };
        Ok(&rest[self.end..])
    }
}

/// The port behind a host that ends there, None where something else stands in its place.
fn port(rest: &[u8], host_end: usize) -> Option<Port> {
    let (mut number, mut end) = (None, host_end);
    if rest.get(end) == Some(&b':') {
        end += 1;
        while let Some(digit) = rest.get(end).filter(|byte| byte.is_ascii_digit()) {
            let before = number.unwrap_or(0u32).saturating_mul(10);
            number = Some(before.saturating_add(u32::from(digit - b'0')));
            end += 1;
        }
    }
    rest.get(end).is_none_or(ends_authority).then_some(Port { number, end })
}

fn ends_authority(byte: &u8) -> bool {
    matches!(byte, b'/' | b'\\' | b'?' | b'#')
}

fn authority(rest: &[u8]) -> &[u8] {
    &rest[..rest.iter().position(ends_authority).unwrap_or(rest.len())]
}

fn behind_credentials<'a>(rest: &'a [u8], parts: &mut Parts) -> Result<&'a [u8], Stop> {
    let Some(at) = authority(rest).iter().rposition(|&byte| byte == b'@') else {
        return Ok(rest);
    };
    let credentials = &rest[..at];
    if credentials.iter().any(is_nothing) || credentials.len() > LONGEST_CREDENTIALS {
        return Err(Stop::HandBack);
    }
    if !credentials.is_empty() && credentials != b":" {
        parts.flags |= CREDENTIALS;
    }
    Ok(&rest[at + 1..])
}

/// To a browser; where it stands nothing can be told without taking it away.
fn is_nothing(byte: &u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

fn read_odd<'a>(
    rest: &'a [u8],
    hosts: &Hosts,
    odd: &mut Vec<u8>,
    parts: &mut Parts,
) -> Result<&'a [u8], Stop> {
    let whole = authority(rest);
    let end = whole.iter().rposition(|&byte| byte == b':').unwrap_or(whole.len());
    let port = port(rest, end).ok_or(Stop::HandBack)?;
    host::read(rest, &mut parts.host);
    if parts.host.len() != end || !host::is_kept(&parts.host) {
        let spelled = &whole[..end];
        if spelled.iter().any(|byte| is_nothing(byte) || b"[]:".contains(byte)) {
            return Err(Stop::HandBack);
        }
        hosts.put(spelled, odd, &mut parts.host)?;
    }
    port.put(rest, parts)
}
