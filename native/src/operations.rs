//! Every operation of a plan, by its name: the one place where plan and engine meet.

use serde_json::Value;

use crate::data::{field, flag, list, text, texts};
use crate::hashing::Map;
use crate::host;
use crate::hosts::Hosts;
use crate::names::Names;
use crate::outcome::Stop;
use crate::overrides::Overrides;
use crate::parts::{ODD, PERCENT, Parts, Piece, SEMICOLON, Scheme};
use crate::path;
use crate::query::{self, Drop, Pagination};
use crate::sites::Sites;
use crate::suffixes::Suffixes;
use crate::triplets::{self, Spelling};

pub enum Operation {
    Https,
    WithoutScheme,
    PathEncoding(Spelling),
    QueryEncoding(Spelling),
    PathSession(Names),
    PathSlashes,
    PathPieces,
    Override(Overrides),
    QueryDrop(Drop),
    FragmentDrop { routes: bool, noted: bool },
    TrailingSlash { root: bool },
    DropWww,
    MapHost(Map<Box<[u8]>>),
    Pagination(Pagination),
    Sort,
    Repeats,
}

/// What operations look things up in.
pub struct Tables {
    pub hosts: Hosts,
    pub sites: Sites,
    pub suffixes: Suffixes,
}

/// What operations write into beside the parts.
#[derive(Default)]
pub struct Desk {
    /// Where pieces and fragments stand; it only grows while one URL is at work.
    pub text: Vec<u8>,
    /// The host for which a URL is handed back.
    pub odd_host: Vec<u8>,
    /// The site tables of the host, once they are asked for.
    pub found: Vec<u16>,
    asked: bool,
    spare: Vec<u8>,
}

impl Desk {
    /// Makes room for another URL.
    pub fn begin(&mut self) {
        self.text.clear();
        self.odd_host.clear();
        self.forget_sites();
    }

    /// Which site tables hold for the host: asked once, until it may have become another.
    pub fn find_sites(&mut self, tables: &Tables, host: &[u8]) {
        if !self.asked {
            tables.sites.find(host, &tables.suffixes, &mut self.found);
            self.asked = true;
        }
    }

    pub fn forget_sites(&mut self) {
        self.asked = false;
    }
}

pub fn operation(name: &str, args: &Value) -> Result<Operation, String> {
    let names = |key: &str| Ok::<_, String>(Names::new(texts(field(args, key)?)?.into_iter()));
    let is = |key: &str| flag(field(args, key)?);
    Ok(match name {
        "scheme.https" => Operation::Https,
        "scheme.drop" => Operation::WithoutScheme,
        "path.encoding" => Operation::PathEncoding(spelling(args)?),
        "query.encoding" => Operation::QueryEncoding(spelling(args)?),
        "path.session" => Operation::PathSession(names("names")?),
        "path.slashes" => Operation::PathSlashes,
        "path.pieces" => Operation::PathPieces,
        "override" => Operation::Override(Overrides::new(field(args, "overrides")?)?),
        "query.drop" => Operation::QueryDrop(drop(args)?),
        "fragment.drop" => Operation::FragmentDrop {
            routes: is("routes")?,
            noted: !text(field(args, "note")?)?.is_empty(),
        },
        "path.trailing_slash" => Operation::TrailingSlash { root: is("root")? },
        "host.www" => Operation::DropWww,
        "host.map" => Operation::MapHost(domains(args)?),
        "query.pagination" => Operation::Pagination(Pagination {
            names: names("names")?,
            below_root: names("below_root")?,
        }),
        "query.sort" => Operation::Sort,
        "query.repeats" => Operation::Repeats,
        _ => return Err(format!("this crate knows no operation {name:?}")),
    })
}

fn spelling(args: &Value) -> Result<Spelling, String> {
    match text(field(args, "spelling")?)? {
        "capitals" => Ok(Spelling::Capitals),
        "rfc3986" => Ok(Spelling::Rfc3986),
        other => Err(format!("this crate knows no spelling {other:?}")),
    }
}

fn drop(args: &Value) -> Result<Drop, String> {
    let listed = [texts(field(args, "session")?)?, texts(field(args, "names")?)?].concat();
    let group = |group| {
        let names = texts(group)?.into_iter();
        Ok::<_, String>(names.map(|name| name.as_bytes().into()).collect())
    };
    Ok(Drop {
        listed: Names::new(listed.into_iter()),
        keep: Names::new(texts(field(args, "keep")?)?.into_iter()),
        together: list(field(args, "together")?)?.iter().map(group).collect::<Result<_, _>>()?,
    })
}

fn domains(args: &Value) -> Result<Map<Box<[u8]>>, String> {
    let domains = field(args, "domains")?.as_object().ok_or("the domain map is no object")?;
    let row = |(bare, host): (&String, &Value)| {
        Ok((bare.as_bytes().into(), text(host)?.as_bytes().into()))
    };
    domains.iter().map(row).collect()
}

impl Operation {
    /// May it change scheme, host, port or path?
    pub fn may_change(&self, tables: &Tables, parts: &Parts, desk: &mut Desk) -> bool {
        match self {
            Operation::PathEncoding(_) => parts.in_path & PERCENT != 0,
            Operation::PathSession(_) => parts.in_path & SEMICOLON != 0,
            Operation::PathSlashes => parts.in_path & ODD != 0,
            Operation::PathPieces => {
                desk.find_sites(tables, &parts.host);
                !desk.found.is_empty()
            }
            Operation::QueryEncoding(_)
            | Operation::QueryDrop(_)
            | Operation::FragmentDrop { .. }
            | Operation::Pagination(_)
            | Operation::Sort
            | Operation::Repeats => false,
            _ => true,
        }
    }

    pub fn run(&self, tables: &Tables, parts: &mut Parts, desk: &mut Desk) -> Result<(), Stop> {
        match self {
            Operation::Https => https(parts),
            Operation::WithoutScheme => parts.scheme = Scheme::None,
            Operation::PathEncoding(spelling) => spell_path(parts, desk, *spelling),
            Operation::QueryEncoding(spelling) => spell_query(parts, desk, *spelling),
            Operation::PathSession(names) => path::drop_session(parts, names),
            Operation::PathSlashes => path::collapse(parts),
            Operation::PathPieces => {
                desk.find_sites(tables, &parts.host);
                drop_pieces(tables, parts, desk);
            }
            Operation::Override(overrides) => {
                desk.forget_sites();
                overrides.run(parts, &desk.text)?;
            }
            Operation::QueryDrop(drop) => {
                desk.find_sites(tables, &parts.host);
                let path = std::mem::take(&mut parts.path);
                drop.run(parts, &desk.text, tables.sites.of(&desk.found, &path));
                parts.path = path;
            }
            Operation::FragmentDrop { routes, noted } => {
                drop_fragment(parts, &desk.text, *routes, *noted);
            }
            Operation::TrailingSlash { root } => path::drop_trailing_slash(parts, *root),
            Operation::DropWww => {
                desk.forget_sites();
                host::drop_www(&mut parts.host, &tables.suffixes);
            }
            Operation::MapHost(domains) => {
                desk.forget_sites();
                map_host(parts, domains);
            }
            Operation::Pagination(pagination) => pagination.run(parts, &desk.text),
            Operation::Sort => query::sort(parts, &desk.text),
            Operation::Repeats => query::drop_repeats(parts, &desk.text),
        }
        Ok(())
    }
}

/// C8.
fn https(parts: &mut Parts) {
    if parts.scheme == Scheme::Http {
        parts.scheme = Scheme::Https;
    }
    parts.port = parts.port.filter(|&port| port != 443);
}

/// C9, of a fragment as well.
fn spell_path(parts: &mut Parts, desk: &mut Desk, spelling: Spelling) {
    if parts.in_path & PERCENT != 0 {
        desk.spare.clear();
        triplets::respell(&parts.path, spelling, &mut desk.spare);
        std::mem::swap(&mut parts.path, &mut desk.spare);
    }
    if desk.text[parts.fragment.clone()].contains(&b'%') {
        let fragment = desk.text[parts.fragment.clone()].to_vec();
        let start = desk.text.len();
        triplets::respell(&fragment, spelling, &mut desk.text);
        parts.fragment = start..desk.text.len();
    }
}

/// C10.
fn spell_query(parts: &mut Parts, desk: &mut Desk, spelling: Spelling) {
    for piece in parts.query.iter_mut().filter(|piece| piece.has_percent) {
        desk.spare.clear();
        triplets::respell(piece.whole(&desk.text), spelling, &mut desk.spare);
        if desk.spare != piece.whole(&desk.text) {
            let start = desk.text.len();
            desk.text.extend_from_slice(&desk.spare);
            *piece = Piece::new(&desk.text, start..desk.text.len(), true);
        }
    }
}

fn drop_pieces(tables: &Tables, parts: &mut Parts, desk: &Desk) {
    if !desk.found.is_empty() {
        let path = parts.path.clone();
        path::drop_pieces(parts, tables.sites.of(&desk.found, &path));
    }
}

/// C16.
fn drop_fragment(parts: &mut Parts, text: &[u8], routes: bool, noted: bool) {
    let first = text[parts.fragment.clone()].first();
    let stays = routes && matches!(first, Some(b'!' | b'/'));
    if noted && (first.is_none() || stays) {
        parts.fragment_note.get_or_insert(None);
    } else if noted {
        parts.fragment_note = Some(Some(parts.fragment.clone()));
    }
    if !stays {
        parts.fragment = 0..0;
    }
}

/// C19.
fn map_host(parts: &mut Parts, domains: &Map<Box<[u8]>>) {
    if parts.port.is_some() {
        return;
    }
    let bare = parts.host.strip_prefix(b"www.").unwrap_or(&parts.host);
    if let Some(host) = domains.get(bare) {
        parts.host = host.to_vec();
    }
}
