//! What a result says beside its URL: language, kind of page, unknown parameters (C25 to C27).
//! Only what the URL itself shows. The notes' values are put together where they are wanted.

use serde_json::Value;

use crate::data::{field, text, texts};
use crate::hashing::{Map, Set};
use crate::names::{Names, with_name};
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
    pub language: Option<Box<str>>,
    pub kind: Kind,
}

pub struct Languages {
    /// Each code, and the code that is written for it.
    codes: Map<Box<str>>,
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
        Ok::<Set, String>(names.map(|name| name.as_bytes().into()).collect())
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
    match operation {
        "note.language" => vec![("lang_variants".into(), Note::Language)],
        "note.link_type" => {
            vec![("link_type".into(), Note::Kind), ("citation".into(), Note::Citation)]
        }
        _ => Vec::new(),
    }
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
    fn of(&self, parts: &Parts, text: &[u8]) -> Option<Box<str>> {
        let mut segments = parts.path.split(|&byte| byte == b'/').skip(1).take(2);
        let named = segments.find_map(|segment| self.codes.get(&*segment.to_ascii_lowercase()));
        let in_query = || {
            let value = |name: &[u8]| {
                let of_name = |piece: &&Piece| with_name(piece.name(text), |one| one == name);
                let mut value = Vec::new();
                triplets::decode(parts.query.iter().find(of_name)?.value(text), &mut value);
                value.make_ascii_lowercase();
                self.codes.get(&*value)
            };
            self.parameters.iter().find_map(|name| value(name))
        };
        named.or_else(in_query).cloned()
    }
}

impl Kinds {
    /// A page about something, a section's, or a site's front door (C27).
    fn of(&self, parts: &Parts, text: &[u8]) -> Kind {
        let segments = parts.path.split(|&byte| byte == b'/').filter(|segment| !segment.is_empty());
        let mut plain: Vec<Vec<u8>> = Vec::new();
        for (i, segment) in segments.enumerate() {
            if i == 0 && self.languages.contains(&*segment.to_ascii_lowercase()) {
                continue;
            }
            let mut decoded = Vec::new();
            triplets::decode(segment, &mut decoded);
            plain.push(decoded);
        }
        let names_it =
            |piece: &Piece| with_name(piece.name(text), |name| self.identifiers.contains(name));
        let specific = self.is_document(&plain)
            || parts.query.iter().any(names_it)
            || plain.iter().any(|segment| holds_uuid(segment) || holds_number(segment))
            || plain.last().is_some_and(|segment| is_hyphenated(segment));
        match plain.len() {
            _ if specific => Kind::Informative,
            0 | 1 => Kind::Homepage,
            2 => Kind::Section,
            _ => Kind::Informative,
        }
    }

    fn is_document(&self, segments: &[Vec<u8>]) -> bool {
        let Some(last) = segments.last().map(|segment| segment.to_ascii_lowercase()) else {
            return false;
        };
        self.documents.iter().any(|ending| last.ends_with(ending))
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
    segment
        .split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/'))
        .any(|token| !token.is_empty() && token.iter().all(u8::is_ascii_digit))
}

/// Two words or more, up to the first dot.
fn is_hyphenated(segment: &[u8]) -> bool {
    let is_word = |word: &[u8]| {
        !word.is_empty() && word.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
    };
    let title = segment.split(|&byte| byte == b'.').next().unwrap_or(segment);
    title.contains(&b'-') && title.split(|&byte| byte == b'-').all(is_word)
}
