//! Runs a plan's operations until nothing changes (C3 to C6), on bytes alone.
//! What it gives equals what the Python engine gives; what it cannot prove it hands back.

use sha2::{Digest, Sha256};

use crate::notes::{Found, Kind, Note};
use crate::operations::Desk;
use crate::outcome::{Outcome, Stop};
use crate::parts::{CREDENTIALS, ODD, Parts, Scheme, UNKNOWN_PARAMETER};
use crate::plan::Plan;
use crate::{path, redirector, scan, tk};

/// More than any plan needs: each pass can only undo what an earlier one laid bare (C5).
const MOST_PASSES: usize = 12;

/// How many values the bits of the flags can have.
pub const FLAGS: u8 = (CREDENTIALS | UNKNOWN_PARAMETER) + 1;

/// One plan, ready to run from any number of threads.
pub struct Engine {
    plan: Plan,
}

/// What one URL at a time is worked on with, and its result until the next one comes.
#[derive(Default)]
pub struct Scratch {
    parts: Parts,
    /// The parts of what is compared, or of a redirector's target.
    other: Parts,
    desk: Desk,
    before: Rest,
    ended: Rest,
    wrappers: Vec<u8>,
    found: Found,
    tk: tk::Desk,
    url: Vec<u8>,
    form: Vec<u8>,
    form_is_url: bool,
    key: [u8; 32],
}

impl Scratch {
    pub fn new() -> Scratch {
        Scratch::default()
    }

    pub fn url(&self) -> &str {
        str::from_utf8(&self.url).expect("made of characters")
    }

    pub fn form(&self) -> &str {
        let form = if self.form_is_url { &self.url } else { &self.form };
        str::from_utf8(form).expect("made of characters")
    }

    /// Is the form the url itself?
    pub fn form_is_url(&self) -> bool {
        self.form_is_url
    }

    /// The SHA-256 of the form.
    pub fn key(&self) -> [u8; 32] {
        self.key
    }

    /// Bits for `Engine::flag_names`, complete behind `run_full`.
    pub fn flags(&self) -> u8 {
        self.parts.flags
    }

    fn text(&self, place: std::ops::Range<usize>) -> &str {
        str::from_utf8(&self.desk.text[place]).expect("what is noted is ASCII")
    }
}

/// What a note says, as `Engine::notes` gives it.
pub enum Value<'a> {
    Null,
    Text(&'a str),
    /// The name of the page parameter.
    Page(Option<&'a str>),
    /// Hosts, outermost first.
    Hosts(Vec<&'a str>),
    Language(Option<&'a str>),
    /// The host of what may not be cited itself.
    Citation(Option<&'a str>),
    Url,
    Key,
    Hash(&'a [u8; 32]),
}

/// What will be asked of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Url,
    Key,
    /// Url and form too.
    Texts,
    /// And what needs the parts as they were before they were made a form.
    Notes,
}

/// All that can make another pass necessary.
#[derive(Default)]
struct Rest {
    scheme: Scheme,
    host: Vec<u8>,
    port: Option<u16>,
    path: Vec<u8>,
}

impl Rest {
    fn keep(&mut self, parts: &Parts) {
        self.scheme = parts.scheme;
        self.host.clone_from(&parts.host);
        self.port = parts.port;
        self.path.clone_from(&parts.path);
    }

    fn is(&self, parts: &Parts) -> bool {
        self.path == parts.path
            && self.host == parts.host
            && self.port == parts.port
            && self.scheme == parts.scheme
    }
}

impl Engine {
    /// `plan_json` is a plan as data, with the contents of its pinned tables as `pinned`. The error
    /// is a plan this crate does not know.
    pub fn new(plan_json: &str) -> Result<Engine, String> {
        Plan::new(plan_json).map(|plan| Engine { plan })
    }

    /// The url alone.
    pub fn run_url(&self, url: &[u8], scratch: &mut Scratch) -> Outcome {
        outcome(self.compared(url, scratch, Wanted::Url))
    }

    /// The key alone.
    pub fn run_key(&self, url: &[u8], scratch: &mut Scratch) -> Outcome {
        outcome(self.compared(url, scratch, Wanted::Key))
    }

    /// Url, form and key.
    pub fn run(&self, url: &[u8], scratch: &mut Scratch) -> Outcome {
        outcome(self.compared(url, scratch, Wanted::Texts))
    }

    /// Url, form and key, with notes and flags.
    pub fn run_full(&self, url: &[u8], scratch: &mut Scratch) -> Outcome {
        let outcome = outcome(self.compared(url, scratch, Wanted::Notes));
        if outcome == Outcome::Done {
            if let Some(tk) = &self.plan.tk {
                tk.annotate(&mut scratch.tk, &scratch.url, &self.plan.tables.suffixes);
            }
            for annotation in &self.plan.annotations {
                annotation.run(&mut scratch.parts, &scratch.desk.text, &mut scratch.found);
            }
        }
        outcome
    }

    /// The host because of which the last URL was handed back, if that was the reason.
    pub fn odd_host<'a>(&self, scratch: &'a Scratch) -> Option<&'a [u8]> {
        Some(scratch.desk.odd_host.as_slice()).filter(|host| !host.is_empty())
    }

    /// Remembers how browsers write a host; is it one that can be worked with here?
    pub fn learn(&self, odd_host: &[u8], written: &[u8]) -> bool {
        self.plan.tables.hosts.learn(odd_host, written)
    }

    /// The flags that stand for these bits of `Scratch::flags`: sorted, none twice.
    pub fn flag_names(&self, bits: u8) -> Vec<&str> {
        let raised = [(CREDENTIALS, "credentials"), (UNKNOWN_PARAMETER, "unknown_parameter")];
        let raised = raised.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name);
        let mut flags: Vec<&str> = self.plan.flags.iter().map(String::as_str).collect();
        flags.extend(raised);
        flags.sort_unstable();
        flags.dedup();
        flags
    }

    /// The names of notes, in the order of the Python engine.
    pub fn note_names(&self) -> impl Iterator<Item = &str> {
        self.plan.notes.iter().map(|(name, _)| name.as_str())
    }

    /// What the note in this place of `note_names` says of the last result of `run_full`; None
    /// where the result has no such note.
    pub fn note<'a>(&self, place: usize, scratch: &'a Scratch) -> Option<Value<'a>> {
        value(self.plan.notes[place].1, scratch)
    }

    fn compared(&self, url: &[u8], s: &mut Scratch, wanted: Wanted) -> Result<(), Stop> {
        s.desk.begin();
        s.parts.flags = 0;
        s.form_is_url = self.plan.form.is_empty();
        match &self.plan.tk {
            Some(tk) => tk.run(url, &mut s.tk, &mut s.url)?,
            None => self.settled(url, s, wanted)?,
        }
        if wanted == Wanted::Url {
            return Ok(());
        }
        if !s.form_is_url {
            if wanted == Wanted::Notes {
                s.other.copy_from(&s.parts);
            } else {
                std::mem::swap(&mut s.other, &mut s.parts);
            }
            for operation in &self.plan.form {
                operation.run(&self.plan.tables, &mut s.other, &mut s.desk)?;
            }
            s.other.write(&s.desk.text, &mut s.form);
        }
        let form = if s.form_is_url { &s.url } else { &s.form };
        s.key = Sha256::digest(form).into();
        Ok(())
    }

    /// The url that no rule changes any more; not written where nobody reads it.
    fn settled(&self, url: &[u8], s: &mut Scratch, wanted: Wanted) -> Result<(), Stop> {
        scan::read(url, &self.plan.tables.hosts, &mut s.desk, &mut s.parts)?;
        self.settle(s)?;
        self.unwrap(s)?;
        if s.parts.longest() > scan::LIMIT {
            return Err(Stop::HandBack);
        }
        if wanted != Wanted::Key || s.form_is_url {
            s.parts.write(&s.desk.text, &mut s.url);
        }
        Ok(())
    }

    /// All rules, again and again, until nothing changes (C5).
    fn settle(&self, s: &mut Scratch) -> Result<(), Stop> {
        for pass in 0..MOST_PASSES {
            s.before.keep(&s.parts);
            for operation in &self.plan.rules {
                operation.run(&self.plan.tables, &mut s.parts, &mut s.desk)?;
            }
            if s.before.is(&s.parts) || (pass > 0 && s.ended.is(&s.parts)) {
                break;
            }
            s.ended.keep(&s.parts);
            self.parse_again(&mut s.parts, &mut s.desk.odd_host)?;
        }
        Ok(())
    }

    /// What parsing the written parts anew would change in them.
    fn parse_again(&self, parts: &mut Parts, odd_host: &mut Vec<u8>) -> Result<(), Stop> {
        self.plan.tables.hosts.keeps(&parts.host, odd_host)?;
        if parts.port.is_some() && parts.port == parts.scheme.default_port() {
            parts.port = None;
        }
        if parts.path.is_empty() {
            parts.path.push(b'/');
        } else if parts.in_path & ODD != 0 {
            path::resolve_dots(&mut parts.path);
        }
        Ok(())
    }

    /// Follows redirectors; a nest that is too deep is handed back (C24).
    fn unwrap(&self, s: &mut Scratch) -> Result<(), Stop> {
        let Some(deepest) = self.plan.deepest else { return Ok(()) };
        let tables = &self.plan.tables;
        s.wrappers.clear();
        let mut depth = 0;
        while redirector::target(tables, &mut s.desk, &s.parts, &mut s.other)? {
            if depth == deepest {
                return Err(Stop::HandBack);
            }
            depth += 1;
            s.wrappers.extend_from_slice(&s.parts.host);
            s.wrappers.push(b' ');
            s.other.flags |= s.parts.flags;
            std::mem::swap(&mut s.parts, &mut s.other);
            self.settle(s)?;
        }
        Ok(())
    }
}

fn outcome(result: Result<(), Stop>) -> Outcome {
    result.map_or_else(Outcome::from, |()| Outcome::Done)
}

fn value(note: Note, scratch: &Scratch) -> Option<Value<'_>> {
    let parts = &scratch.parts;
    Some(match note {
        Note::Fragment => match parts.fragment_note.clone()? {
            None => Value::Null,
            Some(place) => Value::Text(scratch.text(place)),
        },
        Note::Page => Value::Page(parts.page.clone()?.map(|place| scratch.text(place))),
        Note::Wrappers if scratch.wrappers.is_empty() => return None,
        Note::Wrappers => {
            let hosts = str::from_utf8(&scratch.wrappers).expect("a plain host is ASCII");
            Value::Hosts(hosts.split_terminator(' ').collect())
        }
        Note::Language => Value::Language(scratch.found.language.as_deref()),
        Note::Kind => Value::Text(scratch.found.kind.text()),
        Note::Citation => {
            let host = str::from_utf8(&parts.host).expect("a plain host is ASCII");
            Value::Citation(Some(host).filter(|_| scratch.found.kind != Kind::Informative))
        }
        Note::Url => Value::Url,
        Note::Key => Value::Key,
        Note::Parent => Value::Text(scratch.tk.parent(scratch.url()).0),
        Note::ParentHash => Value::Hash(scratch.tk.parent(scratch.url()).1),
        Note::Root => Value::Text(scratch.tk.root().0),
        Note::RootHash => Value::Hash(scratch.tk.root().1),
    })
}
