//! What a plan is made of, as JSON has it: an error names the part that is missing or of another kind.

use serde_json::Value;

pub fn field<'a>(table: &'a Value, key: &str) -> Result<&'a Value, String> {
    table.get(key).ok_or_else(|| format!("the plan has no {key:?} where one is needed"))
}

pub fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("{value} is not text"))
}

pub fn flag(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("{value} is not true or false"))
}

pub fn list(value: &Value) -> Result<&[Value], String> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| format!("{value} is not a list"))
}

pub fn texts(value: &Value) -> Result<Vec<&str>, String> {
    list(value)?.iter().map(text).collect()
}
