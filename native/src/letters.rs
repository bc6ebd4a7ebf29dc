//! Small letters by the pinned table that came with the plan (T1).
//! What takes more than a look at one character is handed back.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::hashing::Quick;
use crate::outcome::Stop;

/// Its small form depends on its neighbours.
const SIGMA: char = '\u{3a3}';
/// Its small form is two characters.
const DOTTED_I: char = '\u{130}';

type Characters = HashMap<char, char, BuildHasherDefault<Quick>>;

#[derive(Default)]
pub struct Letters {
    small: Characters,
    spaces: Vec<char>,
}

impl Letters {
    /// A rule is the name of a class and its characters; `lower32` are those whose small form
    /// stands 32 places further on.
    pub fn new<'a>(rules: impl Iterator<Item = &'a str>) -> Result<Letters, String> {
        let mut letters = Letters::default();
        for rule in rules {
            let wrong = || format!("{rule:?} is no rule of the table of characters");
            let mut words = rule.split_ascii_whitespace();
            let class = words.next().ok_or_else(wrong)?;
            for span in words {
                let points = points(span).ok_or_else(wrong)?;
                if let Some(away) = class.strip_prefix("lower") {
                    let away: i32 = away.parse().map_err(|_| wrong())?;
                    for point in points {
                        let small = point.checked_add_signed(away).and_then(char::from_u32);
                        let capital = char::from_u32(point).ok_or_else(wrong)?;
                        letters.small.insert(capital, small.ok_or_else(wrong)?);
                    }
                } else if class == "space" {
                    letters.spaces.extend(points.filter_map(char::from_u32));
                }
            }
        }
        Ok(letters)
    }

    /// Puts a text in small letters behind what is in `out`.
    pub fn write_small(&self, text: &str, out: &mut Vec<u8>) -> Result<(), Stop> {
        for char in text.chars() {
            if char.is_ascii() {
                out.push(char.to_ascii_lowercase() as u8);
                continue;
            }
            if char == SIGMA || char == DOTTED_I {
                return Err(Stop::HandBack);
            }
            let small = self.small.get(&char).copied().unwrap_or(char);
            out.extend_from_slice(small.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(())
    }

    /// May the text of a URL hold this character, with a host that is ASCII before and after?
    pub fn is_plain(&self, char: char) -> bool {
        let small = self.small.get(&char).copied().unwrap_or(char);
        !small.is_ascii() && !self.spaces.contains(&char)
    }
}

/// `a`, `a-b` or `a-b/2`, hexadecimal.
fn points(span: &str) -> Option<impl Iterator<Item = u32>> {
    let (span, step) = span.split_once('/').unwrap_or((span, "1"));
    let (first, last) = span.split_once('-').unwrap_or((span, span));
    let number = |text| u32::from_str_radix(text, 16).ok();
    let step = usize::try_from(number(step)?).ok().filter(|&step| step > 0)?;
    Some((number(first)?..=number(last)?).step_by(step))
}
