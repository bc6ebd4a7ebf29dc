//! What a result says beside its URL: language, kind of page, unknown parameters (C25 to C27).
//! Only what the URL itself shows. The notes' values are put together where they are wanted.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::data::{field, text, texts};
use crate::hashing::{Map, Set};
use crate::names::{Names, with_name, with_small};
use crate::parts::{Parts, Piece, UNKNOWN_PARAMETER};
use crate::triplets;

/// Where a note's value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    Fragment,
    Page,
    Wrappers,
    Language,
    Kind,
    Citation,
    Url,
    Key,
    /// What tk notes of the host and of its root.
    Parent,
    ParentHash,
    Root,
    RootHash,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    #[default]
    Informative,
    Homepage,
    Section,
}

impl Kind {
    pub fn text(self) -> &'static str {
        match self {
            Kind::Informative => "informative",
            Kind::Homepage => "homepage",
            Kind::Section => "section",
        }
    }
}

pub enum Annotation {
    Unknown(Names),
    Language(Languages),
    Kind(Kinds),
}

/// What annotations found out.
#[derive(Default)]
pub struct Found {
    pub language: Option<Arc<str>>,
    pub kind: Kind,
}

pub struct Languages {
    /// Each code, and the code that is written for it.
    codes: Map<Arc<str>>,
    parameters: Vec<Box<[u8]>>,
}

pub struct Kinds {
    languages: Set,
    documents: Vec<Box<[u8]>>,
    identifiers: Set,
}

pub fn annotation(name: &str, args: &Value) -> Result<Annotation, String> {
    let set = |key: &str| {
        let names = texts(field(args, key)?)?.into_iter();
        Ok::<Set, String>(names.map(|name| Box::from(name.as_bytes())).collect())
    };
    match name {
        "query.unknown" => {
            Ok(Annotation::Unknown(Names::new(texts(field(args, "known")?)?.into_iter())))
        }
        "note.language" => Ok(Annotation::Language(languages(args)?)),
        "note.link_type" => {
            let endings = texts(field(args, "documents")?)?.into_iter();
            Ok(Annotation::Kind(Kinds {
                languages: set("languages")?,
                documents: endings.map(|ending| format!(".{ending}").into_bytes().into()).collect(),
                identifiers: set("identifiers")?,
            }))
        }
        _ => Err(format!("this crate knows no operation {name:?}")),
    }
}

fn languages(args: &Value) -> Result<Languages, String> {
    let aliases = field(args, "aliases")?;
    let row = |code: &str| {
        let written = aliases.get(code).map_or(Ok(code), text)?;
        Ok::<_, String>((code.as_bytes().into(), written.into()))
    };
    let parameters = texts(field(args, "parameters")?)?.into_iter();
    Ok(Languages {
        codes: texts(field(args, "codes")?)?.into_iter().map(row).collect::<Result<_, _>>()?,
        parameters: parameters.map(|name| name.as_bytes().into()).collect(),
    })
}

/// The notes that an operation writes.
pub fn names(operation: &str) -> Vec<(String, Note)> {
    let names: &[(&str, Note)] = match operation {
        "note.language" => &[("lang_variants", Note::Language)],
        "note.link_type" => &[("link_type", Note::Kind), ("citation", Note::Citation)],
        "tk.roots" => &[
            ("normalized_url", Note::Url),
            ("parent_normal_url", Note::Parent),
            ("root_normal_url", Note::Root),
            ("normalized_url_hash", Note::Key),
            ("parent_normal_url_hash", Note::ParentHash),
            ("root_normal_url_hash", Note::RootHash),
        ],
        _ => &[],
    };
    names.iter().map(|(name, note)| ((*name).into(), *note)).collect()
}

impl Annotation {
    pub fn run(&self, parts: &mut Parts, text: &[u8], found: &mut Found) {
        match self {
            Annotation::Unknown(known) => {
                let is_known = |piece: &Piece| with_name(piece.name(text), |name| known.has(name));
                if !parts.query.iter().all(is_known) {
                    parts.flags |= UNKNOWN_PARAMETER;
                }
            }
            Annotation::Language(languages) => found.language = languages.of(parts, text),
            Annotation::Kind(kinds) => found.kind = kinds.of(parts, text),
        }
    }
}

impl Languages {
    /// One of the first two path segments, or a parameter (C26).
    fn of(&self, parts: &Parts, text: &[u8]) -> Option<Arc<str>> {
        let mut segments = parts.path.split(|&byte| byte == b'/').skip(1).take(2);
        let code = |word: &[u8]| with_small(word, |code| self.codes.get(code));
        let in_query = || {
            let value = |name: &[u8]| {
                let of_name = |piece: &&Piece| with_name(piece.name(text), |one| one == name);
                let piece = parts.query.iter().find(of_name)?;
                code(&triplets::decoded(piece.value(text)))
            };
            self.parameters.iter().find_map(|name| value(name))
        };
        segments.find_map(code).or_else(in_query).cloned()
    }
}

impl Kinds {
    /// A page about something, a section's, or a site's front door (C27).
    fn of(&self, parts: &Parts, text: &[u8]) -> Kind {
        let mut segments = parts.path.split(|&byte| byte == b'/').filter(|one| !one.is_empty());
        let is_language =
            |segment: &&[u8]| with_small(segment, |code| self.languages.contains(code));
        let first = segments.next().filter(|segment| !is_language(segment));
        let (mut count, mut last) = (0, Cow::default());
        for segment in first.into_iter().chain(segments) {
            last = triplets::decoded(segment);
            if holds_number(&last) || holds_uuid(&last) {
                return Kind::Informative;
            }
            count += 1;
        }
        let names_it =
            |piece: &Piece| with_name(piece.name(text), |name| self.identifiers.contains(name));
        let is_specific =
            self.is_document(&last) || is_hyphenated(&last) || parts.query.iter().any(names_it);
        match count {
            _ if is_specific => Kind::Informative,
            0 | 1 => Kind::Homepage,
            2 => Kind::Section,
            _ => Kind::Informative,
        }
    }

    fn is_document(&self, segment: &[u8]) -> bool {
        self.documents.iter().any(|ending| {
            let start = segment.len().checked_sub(ending.len());
            start.is_some_and(|start| segment[start..].eq_ignore_ascii_case(ending))
        })
    }
}

const UUID: usize = 36;

fn holds_uuid(segment: &[u8]) -> bool {
    let fits = |(i, &byte): (usize, &u8)| match i {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    segment.windows(UUID).any(|window| window.iter().enumerate().all(fits))
}

fn holds_number(segment: &[u8]) -> bool {
    let mut is_number = false;
    let mut is_token = false;
    for &byte in segment {
        if matches!(byte, b'-' | b'_' | b'.' | b'/') {
            if is_number {
                return true;
            }
            is_token = false;
        } else {
            is_number = byte.is_ascii_digit() && (is_number || !is_token);
            is_token = true;
        }
    }
    is_number
}

/// Two words or more, up to the first dot.
fn is_hyphenated(segment: &[u8]) -> bool {
    let is_word = |word: &[u8]| {
        !word.is_empty() && word.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
    };
    let title = segment.split(|&byte| byte == b'.').next().unwrap_or(segment);
    title.contains(&b'-') && title.split(|&byte| byte == b'-').all(is_word)
}
