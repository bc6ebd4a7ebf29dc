//! The host: which ones are plain names, with or without `www.`, in the form of a map (C18, C19).
//! Names in punycode and what a browser may read as an address are not plain; which hosts are
//! public suffixes is the table's business.

use crate::suffixes::Suffixes;

const LONGEST: usize = 253;

/// The small form of each byte that a plain host may have, else 0.
static SMALL: [u8; 256] = small();

const fn small() -> [u8; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        if byte.is_ascii_alphanumeric() {
            table[i] = byte.to_ascii_lowercase();
        }
        i += 1;
    }
    let kept = b"-._!\"$&'()*+,;=`{}~";
    i = 0;
    while i < kept.len() {
        table[kept[i] as usize] = kept[i];
        i += 1;
    }
    table
}

/// Copies a host in small letters up to the first byte that a plain one cannot have: its place.
pub fn read(rest: &[u8], host: &mut Vec<u8>) -> usize {
    let ends = |byte: &u8| SMALL[usize::from(*byte)] == 0;
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    host.clear();
    host.extend(rest[..end].iter().map(|&byte| SMALL[usize::from(byte)]));
    end
}

/// Is this a host in small letters that every browser keeps as it is?
pub fn is_plain(host: &[u8]) -> bool {
    is_written(host) && is_kept(host)
}

/// Is a host made of what browsers write names and IPv4 addresses with?
pub fn is_written(host: &[u8]) -> bool {
    host.iter().all(|&byte| byte != 0 && SMALL[usize::from(byte)] == byte)
}

/// Of a host as `read` gives it: a name without punycode, or an address in its short form?
pub fn is_kept(host: &[u8]) -> bool {
    if host.is_empty() || host.len() > LONGEST {
        return false;
    }
    let has_punycode = || host.windows(4).any(|window| window == b"xn--");
    if host.len() > SHORT {
        let last = host[..host.len() - 1].iter().rposition(|&byte| byte == b'.');
        let is_number = host[last.map_or(0, |dot| dot + 1)].is_ascii_digit();
        return !is_number && !has_punycode();
    }
    let inner_dots = places(host, b'.') & !(1 << (host.len() - 1));
    let last = (u64::BITS - inner_dots.leading_zeros()) as usize;
    if host[last].is_ascii_digit() {
        return is_short_ipv4(host);
    }
    let hyphens = places(host, b'-');
    hyphens & hyphens >> 1 == 0 || !has_punycode()
}

/// Up to this length `places` has a bit for every byte.
pub const SHORT: usize = 64;

/// A bit for each place where a byte stands: eight are compared at a time.
pub fn places(host: &[u8], byte: u8) -> u64 {
    let in_eight = |eight: &[u8; 8]| {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let zero_there = u64::from_le_bytes(*eight) ^ u64::from_le_bytes([byte; 8]);
        let high_elsewhere = ((zero_there & LOW) + LOW) | zero_there | LOW;
        (!high_elsewhere >> 7).wrapping_mul(GATHER) >> 56
    };
    let (eights, _) = host.as_chunks();
    let found =
        eights.iter().enumerate().fold(0, |bits, (i, eight)| bits | in_eight(eight) << (8 * i));
    match host.last_chunk() {
        Some(last) => found | in_eight(last) << (host.len() - 8),
        None => (0..host.len()).fold(0, |bits, i| bits | u64::from(host[i] == byte) << i),
    }
}

fn is_short_ipv4(host: &[u8]) -> bool {
    let mut count = 0;
    for number in host.split(|&byte| byte == b'.') {
        count += 1;
        let digits = number.len() <= 3 && number.iter().all(u8::is_ascii_digit);
        let value = number.iter().fold(0u32, |sum, digit| sum * 10 + u32::from(digit & 15));
        if !digits || number.is_empty() || value > 255 || (number.len() > 1 && number[0] == b'0') {
            return false;
        }
    }
    count == 4
}

/// Drops every leading `www.` but those without which a public suffix would be left (C18).
pub fn drop_www(host: &mut Vec<u8>, suffixes: &Suffixes) {
    let mut start = 0;
    while host[start..].starts_with(b"www.") {
        start += 4;
    }
    while start > 0 && (start == host.len() || suffixes.is_suffix(&host[start..])) {
        start -= 4;
    }
    host.drain(..start);
}
