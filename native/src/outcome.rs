//! What comes of a URL: a result, a refusal that is certain, or neither.
//! Why a URL is refused, in words, the Python engine says.

/// The codes of spec/semantics.md (C4, T2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    Empty,
    TooLong,
    Relative,
    Scheme,
    Port,
    NoTld,
}

impl Code {
    pub fn text(self) -> &'static str {
        match self {
            Code::Empty => "empty",
            Code::TooLong => "too_long",
            Code::Relative => "relative",
            Code::Scheme => "scheme",
            Code::Port => "port",
            Code::NoTld => "no_tld",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The result is in the scratch.
    Done,
    Refused(Code),
    /// Nothing is known of it here: the whole URL goes to the Python engine.
    HandBack,
}

/// Why a URL goes no further here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Refused(Code),
    HandBack,
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Outcome {
        match stop {
            Stop::Refused(code) => Outcome::Refused(code),
            Stop::HandBack => Outcome::HandBack,
        }
    }
}
