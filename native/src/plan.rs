//! The plan that Python compiled, made ready to run. What it does not know it refuses, whole.

use serde_json::Value;

use crate::data::{field, list, text, texts};
use crate::hosts::Hosts;
use crate::notes::{self, Annotation, Note};
use crate::operations::{self, Operation, Tables};
use crate::sites::Sites;
use crate::suffixes::Suffixes;
use crate::tk::Tk;

/// The version of spec/semantics.md that this crate implements.
pub const SEMANTICS: u64 = 1;
/// The parser whose ways it repeats.
pub const PARSER: &str = "whatwg ada 4.0.0";

pub struct Plan {
    pub tables: Tables,
    /// The reading of tk, in place of rules.
    pub tk: Option<Tk>,
    pub rules: Vec<Operation>,
    pub form: Vec<Operation>,
    pub annotations: Vec<Annotation>,
    /// How many redirectors are followed.
    pub deepest: Option<usize>,
    /// The names of notes, in the order in which a result has them.
    pub notes: Vec<(String, Note)>,
    /// Flags that every result carries.
    pub flags: Vec<String>,
}

impl Plan {
    pub fn new(json: &str) -> Result<Plan, String> {
        let data: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let semantics = field(&data, "semantics")?.as_u64();
        if semantics != Some(SEMANTICS) {
            return Err(format!("the plan is not of version {SEMANTICS} of the semantics"));
        }
        let parser = text(field(&data, "parser")?)?;
        let tk = match parser.strip_prefix("tk 1, ") {
            Some(parser) if parser == PARSER => Some(Tk::new(&data)?),
            None if parser == PARSER => None,
            _ => return Err(format!("the plan is for {parser:?}, this crate follows {PARSER:?}")),
        };
        let pinned = field(&data, "pinned")?;
        let suffixes = pinned.get("public_suffixes").map_or(Ok(Vec::new()), texts)?;
        let mut plan = Plan {
            tables: Tables {
                hosts: Hosts::default(),
                sites: Sites::new(list(field(&data, "sites")?)?)?,
                suffixes: Suffixes::new(suffixes.into_iter()),
            },
            rules: match tk {
                Some(_) => Vec::new(),
                None => operations(field(&data, "rules")?)?,
            },
            tk,
            form: operations(field(&data, "form")?)?,
            annotations: Vec::new(),
            deepest: deepest(field(&data, "unwrap")?)?,
            notes: Vec::new(),
            flags: Vec::new(),
        };
        plan.annotate(&data)?;
        Ok(plan)
    }

    fn annotate(&mut self, data: &Value) -> Result<(), String> {
        for op in list(field(data, "rules")?)? {
            let (name, args) = named(op)?;
            match name {
                "fragment.drop" if args["note"] != "" => {
                    self.notes.push((text(field(args, "note")?)?.into(), Note::Fragment));
                }
                "query.pagination" => self.notes.push(("pagination".into(), Note::Page)),
                _ => {}
            }
        }
        if self.deepest.is_some() {
            self.notes.push(("unwrapped".into(), Note::Wrappers));
        }
        for op in list(field(data, "notes")?)? {
            let (name, args) = named(op)?;
            match name {
                "flags" => {
                    self.flags.extend(texts(field(args, "names")?)?.into_iter().map(String::from));
                }
                "tk.roots" if self.tk.is_some() => {}
                _ => self.annotations.push(notes::annotation(name, args)?),
            }
            self.notes.extend(notes::names(name));
        }
        let names = field(data, "names")?.as_object().ok_or("the plan's names are no object")?;
        for (source, note) in [("url", Note::Url), ("key", Note::Key)] {
            let of_source = names.iter().filter(|(_, named)| *named == source);
            self.notes.extend(of_source.map(|(name, _)| (name.clone(), note)));
        }
        Ok(())
    }
}

fn operations(ops: &Value) -> Result<Vec<Operation>, String> {
    let operation = |op| named(op).and_then(|(name, args)| operations::operation(name, args));
    list(ops)?.iter().map(operation).collect()
}

pub fn named(op: &Value) -> Result<(&str, &Value), String> {
    match list(op)? {
        [name, args] => Ok((text(name)?, args)),
        _ => Err("an operation is a name and its arguments".into()),
    }
}

fn deepest(unwrap: &Value) -> Result<Option<usize>, String> {
    if unwrap.is_null() {
        return Ok(None);
    }
    let deepest = field(unwrap, "deepest")?.as_u64().ok_or("`deepest` is not a number")?;
    Ok(usize::try_from(deepest).ok())
}
