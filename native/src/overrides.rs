//! A user's overrides: parameters and prefix rewrites for exact hosts (C14).
//! That rewriting ends was proven when the file was loaded.

use serde_json::Value;

use crate::data::{field, list, text, texts};
use crate::hashing::Map;
use crate::names::{Names, with_name};
use crate::outcome::Stop;
use crate::parts::{ODD, PERCENT, Parts, SEMICOLON, Scheme};
use crate::path::dots;

/// The longest dot segment, `%2e%2e`.
const LONGEST_DOTS: usize = 6;

pub struct Overrides(Map<Override>);

struct Override {
    drop: Names,
    rules: Vec<Rule>,
}

/// What a URL begins with, and what is written for it.
type Rule = (Box<[u8]>, Box<[u8]>);

impl Overrides {
    pub fn new(tables: &Value) -> Result<Overrides, String> {
        let mut by_host = Map::default();
        for table in list(tables)? {
            let host = text(field(field(table, "match")?, "host")?)?;
            by_host.entry(host.as_bytes().into()).or_insert(Override::new(table)?);
        }
        Ok(Overrides(by_host))
    }

    pub fn run(&self, parts: &mut Parts, text: &[u8]) -> Result<(), Stop> {
        while let Some(found) = self.0.get(parts.host.as_slice()) {
            let host = parts.host.clone();
            if !found.drop.is_empty() {
                parts
                    .query
                    .retain(|piece| !with_name(piece.name(text), |name| found.drop.has(name)));
            }
            if !found.rewrite(parts)? || parts.host == host {
                break;
            }
        }
        Ok(())
    }
}

impl Override {
    fn new(table: &Value) -> Result<Override, String> {
        let bytes =
            |rule: &Value, key: &str| Ok::<_, String>(text(field(rule, key)?)?.as_bytes().into());
        let rules = list(field(table, "rewrite_rules")?)?.iter();
        let rules = rules.map(|rule| Ok((bytes(rule, "from_prefix")?, bytes(rule, "to_prefix")?)));
        Ok(Override {
            drop: Names::new(texts(field(table, "drop_query_params")?)?.into_iter()),
            rules: rules.collect::<Result<_, String>>()?,
        })
    }

    /// Applies the rules in order, then again until none matches. The text is a short head and the
    /// rest of the old one, so that each rewrite costs the length of its rule.
    fn rewrite(&self, parts: &mut Parts) -> Result<bool, Stop> {
        let mut whole = Vec::new();
        whole.extend_from_slice(parts.scheme.text().as_bytes());
        whole.extend_from_slice(&parts.host);
        parts.write_port(&mut whole);
        whole.extend_from_slice(&parts.path);
        let mut head: Vec<u8> = Vec::new();
        let mut rest = whole.as_slice();
        let (mut changed, mut again) = (false, true);
        while again {
            again = false;
            for (start, to) in &self.rules {
                if !begins(&head, rest, start) {
                    continue;
                }
                rest = &rest[start.len().saturating_sub(head.len())..];
                let kept = head.split_off(start.len().min(head.len()));
                head.clear();
                head.extend_from_slice(to);
                head.extend_from_slice(&kept);
                rest = join(&mut head, rest);
                (changed, again) = (true, true);
            }
        }
        if changed {
            head.extend_from_slice(rest);
            put(parts, &head)?;
        }
        Ok(changed)
    }
}

fn begins(head: &[u8], rest: &[u8], start: &[u8]) -> bool {
    match start.strip_prefix(head) {
        Some(behind) => rest.starts_with(behind),
        None => head.starts_with(start),
    }
}

/// Where head and rest meet, a slash may have doubled or a dot segment come about.
fn join<'a>(head: &mut Vec<u8>, mut rest: &'a [u8]) -> &'a [u8] {
    let is_slash = |&byte: &u8| byte == b'/';
    let behind_scheme = head.windows(3).position(|window| window == b"://").map_or(0, |at| at + 3);
    let first = behind_scheme + head[behind_scheme..].iter().position(is_slash).unwrap_or(0);
    loop {
        let Some(mut slash) = head.iter().rposition(is_slash) else { return rest };
        let near = &rest[..rest.len().min(LONGEST_DOTS + 1)];
        let end = near.iter().position(is_slash);
        let segment = [&head[slash + 1..], &near[..end.unwrap_or(near.len())]].concat();
        let dots = dots(&segment);
        if slash == head.len() - 1 && rest.first() == Some(&b'/') {
            rest = &rest[1..];
        } else if dots > 0 {
            if dots == 2 {
                slash = head[..slash].iter().rposition(is_slash).unwrap_or(0).max(first);
            }
            head.truncate(slash + 1);
            rest = &rest[end.map_or(near.len(), |end| end + 1)..];
        } else {
            return rest;
        }
    }
}

fn put(parts: &mut Parts, url: &[u8]) -> Result<(), Stop> {
    let (scheme, rest) = match url {
        [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] => (Scheme::Http, rest),
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..] => (Scheme::Https, rest),
        _ => return Err(Stop::HandBack),
    };
    let end = rest.iter().position(|&byte| byte == b'/').ok_or(Stop::HandBack)?;
    let (authority, path) = rest.split_at(end);
    let (host, port) = match authority.iter().rposition(|&byte| byte == b':') {
        Some(colon) => (&authority[..colon], Some(number(&authority[colon + 1..])?)),
        None => (authority, None),
    };
    parts.scheme = scheme;
    parts.port = port;
    parts.host = host.to_vec();
    parts.path = path.to_vec();
    parts.in_path = ODD | PERCENT | SEMICOLON;
    Ok(())
}

fn number(digits: &[u8]) -> Result<u16, Stop> {
    let digits = std::str::from_utf8(digits).map_err(|_| Stop::HandBack)?;
    digits.parse().map_err(|_| Stop::HandBack)
}
