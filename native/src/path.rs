//! The path: dot segments, session ids, slashes, the pieces a site tracks with (C11 to C13, C17).

use crate::names::{Names, with_name};
use crate::parts::{ODD, Parts, SEMICOLON};
use crate::sites::Site;

/// How many dots a segment stands for: none, one or two. `%2e` is a dot there.
pub fn dots(segment: &[u8]) -> usize {
    if segment.len() > 6 {
        return 0;
    }
    let (mut rest, mut count) = (segment, 0);
    while !rest.is_empty() {
        rest = match rest {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return 0,
        };
        count += 1;
    }
    if count > 2 { 0 } else { count }
}

fn segments(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/').skip(1)
}

/// Resolves dot segments as browsers do. A path that is not empty begins with a slash.
pub fn resolve_dots(path: &mut Vec<u8>) {
    if !segments(path).any(|segment| dots(segment) > 0) {
        return;
    }
    let before = path.clone();
    path.clear();
    let last = segments(&before).count() - 1;
    for (i, segment) in segments(&before).enumerate() {
        let dots = dots(segment);
        if dots == 2 {
            let slash = path.iter().rposition(|&byte| byte == b'/');
            path.truncate(slash.unwrap_or(0));
        }
        if dots == 0 || i == last {
            path.push(b'/');
        }
        if dots == 0 {
            path.extend_from_slice(segment);
        }
    }
}

/// Path parameters whose name is listed go (C11).
pub fn drop_session(parts: &mut Parts, names: &Names) {
    if parts.in_path & SEMICOLON == 0 {
        return;
    }
    let before = parts.path.clone();
    parts.path.clear();
    for segment in segments(&before) {
        parts.path.push(b'/');
        for (i, piece) in segment.split(|&byte| byte == b';').enumerate() {
            if i == 0 {
                parts.path.extend_from_slice(piece);
            } else if !with_name(before_equals(piece), |name| names.has(name)) {
                parts.path.push(b';');
                parts.path.extend_from_slice(piece);
            }
        }
    }
    if parts.path != before {
        parts.in_path |= ODD;
    }
    resolve_dots(&mut parts.path);
}

fn before_equals(piece: &[u8]) -> &[u8] {
    piece.split(|&byte| byte == b'=').next().unwrap_or(piece)
}

/// Every run of slashes becomes one (C12).
pub fn collapse(parts: &mut Parts) {
    if parts.in_path & ODD != 0 {
        parts.path.dedup_by(|byte, before| *byte == b'/' && *before == b'/');
    }
}

/// All slashes at the end go, at the root too if `root` (C17).
pub fn drop_trailing_slash(parts: &mut Parts, root: bool) {
    let end = parts.path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    let is_root = end == 0 && !parts.path.is_empty();
    parts.path.truncate(if is_root && !root { 1 } else { end });
}

/// Segments that begin as a site says go (C13).
pub fn drop_pieces<'a>(parts: &mut Parts, sites: impl Iterator<Item = &'a Site>) {
    for site in sites.filter(|site| !site.path_drop.is_empty()) {
        let goes = |segment: &[u8]| {
            site.path_drop.iter().any(|begin| {
                segment.len() >= begin.len() && segment[..begin.len()].eq_ignore_ascii_case(begin)
            })
        };
        if !segments(&parts.path).any(goes) && !parts.path.is_empty() {
            continue;
        }
        let before = parts.path.clone();
        parts.path.clear();
        for segment in segments(&before).filter(|segment| !goes(segment)) {
            parts.path.push(b'/');
            parts.path.extend_from_slice(segment);
        }
        if parts.path.is_empty() {
            parts.path.push(b'/');
        }
        parts.in_path |= ODD;
    }
}
