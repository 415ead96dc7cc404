//! Selectors of a page's style sheets: types, classes, ids, attributes, places among siblings, and what these are inside of.
//!
//! They are read by `cssparser` and matched from the right. States caused by a reader (`:hover`, `:checked` by a click) or a
//! script do not apply to the page as delivered; [`Complex::is_state`] records them. Every step of a match is charged to a
//! budget that depends on the page's size.

use std::cell::Cell;

use cssparser::{BasicParseError, ParseError, Parser, Token};

use crate::tree::{NodeId, Tag, Tree};

/// A compound selector and what leads from it to the one on its right.
#[derive(Debug, Clone, Default)]
pub(super) struct Compound {
    tests: Vec<Test>,
    /// How the element is related to the one that the compound on the right has matched.
    leads: Combinator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Combinator {
    #[default]
    Descendant,
    Child,
    Next,
    Later,
}

/// A selector of a list, its compounds from right to left.
#[derive(Debug, Clone, Default)]
pub(super) struct Complex {
    compounds: Vec<Compound>,
    pub(super) specificity: u32,
    /// Bits of the classes and ids that must be around the element.
    pub(super) needs: [u64; 4],
    /// Whether it holds in some state alone: under a pointer, after a click.
    pub(super) is_state: bool,
    /// Whether it is about a pseudo-element, which has none of the page's text.
    pub(super) is_pseudo: bool,
}

#[derive(Debug, Clone)]
enum Test {
    Tag(Box<str>),
    Id(Box<str>),
    Class(Box<str>),
    Attribute {
        name: Box<str>,
        operation: Operation,
        value: Box<str>,
        any_case: bool,
    },
    Not(Vec<Complex>),
    Any(Vec<Complex>),
    /// Something around or behind the element matches: selectors that begin at [`Test::Anchor`].
    Has(Vec<Complex>),
    /// The element that a `:has()` is asked of.
    Anchor,
    Root,
    Empty,
    Nth {
        step: i32,
        offset: i32,
        from_end: bool,
        of_type: bool,
        /// The selectors of which siblings are counted; all where there is none.
        of: Vec<Complex>,
    },
    Only {
        of_type: bool,
    },
    /// In one of these languages.
    Lang(Vec<Box<str>>),
    /// Written from right to left, or from left to right.
    Dir {
        is_right: bool,
    },
    Link,
    Checked,
    Disabled(bool),
    Defined,
    /// Holds for some states of the page, not for the one that was delivered.
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Exists,
    Equals,
    Includes,
    Dash,
    Prefix,
    Suffix,
    Substring,
}

/// What finds a compound among all: the rarest of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key<'a> {
    Id(&'a str),
    Class(&'a str),
    Attribute(&'a str),
    Tag(&'a str),
    Any,
}

type Parsed<T> = Result<T, ParseError<()>>;

/// Compounds of a selector that are matched at most, whatever the caller allows: a match goes as deep as it has compounds.
const MAX_COMPOUNDS: u32 = 64;

/// How selectors are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    /// Compounds of a selector; a longer one is dropped.
    pub(super) compounds: u32,
    /// Whether one was longer.
    pub(super) is_cut: bool,
}

impl Reading {
    pub(super) fn new(compounds: u32) -> Self {
        Reading { compounds: compounds.min(MAX_COMPOUNDS), is_cut: false }
    }
}

/// Selectors inside selectors.
const MAX_NESTED: u8 = 4;

const ID: u32 = 1 << 20;
const CLASS: u32 = 1 << 10;
const TYPE: u32 = 1;

fn invalid<T>() -> Parsed<T> {
    Err(BasicParseError::unexpected_token().into())
}

/// Reads a list of selectors; `None` where it is not one, and browsers drop the rule.
pub(super) fn list(text: &str, reading: &mut Reading) -> Option<Vec<Complex>> {
    let mut parser = Parser::new(text);
    read_list(&mut parser, 0, reading).ok()
}

fn read_list(parser: &mut Parser<'_>, depth: u8, reading: &mut Reading) -> Parsed<Vec<Complex>> {
    parser.parse_comma_separated(|inner| complex(inner, depth, reading))
}

fn complex(parser: &mut Parser<'_>, depth: u8, reading: &mut Reading) -> Parsed<Complex> {
    let mut found = Complex::default();
    let mut current = Compound::default();
    // Whether white space or a sign was read since the last compound.
    let mut pending: Option<Combinator> = None;
    parser.skip_whitespace();
    while let Ok(token) = parser.next_including_whitespace() {
        let token = token.clone();
        let sign = match token {
            Token::WhiteSpace(_) => Some(Combinator::Descendant),
            Token::Delim('>') => Some(Combinator::Child),
            Token::Delim('+') => Some(Combinator::Next),
            Token::Delim('~') => Some(Combinator::Later),
            _ => None,
        };
        if let Some(sign) = sign {
            pending = match (pending, sign) {
                (None | Some(Combinator::Descendant), sign) => Some(sign),
                (kept, Combinator::Descendant) => kept,
                _ => return invalid(),
            };
            continue;
        }
        if let Some(leads) = pending.take() {
            if current.tests.is_empty() || found.is_pseudo {
                return invalid();
            }
            current.leads = leads;
            found.compounds.push(std::mem::take(&mut current));
            if found.compounds.len() >= reading.compounds as usize {
                reading.is_cut = true;
                return invalid();
            }
        }
        simple(parser, token, depth, reading, &mut current, &mut found)?;
    }
    if current.tests.is_empty() || pending.is_some_and(|sign| sign != Combinator::Descendant) {
        return invalid();
    }
    found.compounds.push(current);
    // `leads` so far is what leads from a compound to the next on its right; they are walked from the right.
    found.compounds.reverse();
    for compound in found.compounds.iter().skip(1) {
        if matches!(compound.leads, Combinator::Descendant | Combinator::Child) {
            for test in &compound.tests {
                if let Test::Class(name) | Test::Id(name) = test {
                    note(&mut found.needs, name);
                }
            }
        }
    }
    Ok(found)
}

/// Reads one simple selector that starts with this token.
fn simple(
    parser: &mut Parser<'_>,
    token: Token<'_>,
    depth: u8,
    reading: &mut Reading,
    current: &mut Compound,
    found: &mut Complex,
) -> Parsed<()> {
    let test = match token {
        Token::Ident(name) => {
            found.specificity += TYPE;
            Test::Tag(name.to_ascii_lowercase().into())
        }
        // Everything; it needs a test so that the compound is not empty.
        Token::Delim('*') => Test::Not(Vec::new()),
        // What a rule is nested in; at the top of a sheet it is the root.
        Token::Delim('&') => Test::Root,
        Token::IDHash(name) => {
            found.specificity += ID;
            Test::Id((&*name).into())
        }
        Token::Delim('.') => {
            let name = match parser.next_including_whitespace() {
                Ok(Token::Ident(name)) => Box::from(&**name),
                _ => return invalid(),
            };
            found.specificity += CLASS;
            Test::Class(name)
        }
        Token::SquareBracketBlock => {
            found.specificity += CLASS;
            parser.parse_nested_block(attribute)?
        }
        Token::Colon => return pseudo(parser, depth, reading, current, found),
        _ => return invalid(),
    };
    current.tests.push(test);
    Ok(())
}

fn attribute(parser: &mut Parser<'_>) -> Parsed<Test> {
    let name: Box<str> = parser.expect_ident()?.to_ascii_lowercase().into();
    let operation = match parser.next() {
        Err(_) => {
            return Ok(Test::Attribute {
                name,
                operation: Operation::Exists,
                value: "".into(),
                any_case: false,
            });
        }
        Ok(Token::Delim('=')) => Operation::Equals,
        Ok(Token::IncludeMatch) => Operation::Includes,
        Ok(Token::DashMatch) => Operation::Dash,
        Ok(Token::PrefixMatch) => Operation::Prefix,
        Ok(Token::SuffixMatch) => Operation::Suffix,
        Ok(Token::SubstringMatch) => Operation::Substring,
        Ok(_) => return invalid(),
    };
    let value: Box<str> = Box::from(&**parser.expect_ident_or_string()?);
    let flag =
        parser.next().ok().map(|token| matches!(token, Token::Ident(flag) if flag.eq_ignore_ascii_case("i")));
    // Attributes whose values have no case in HTML.
    let any_case = flag == Some(true)
        || matches!(&*name, "type" | "rel" | "dir" | "lang" | "media" | "method" | "align");
    Ok(Test::Attribute { name, operation, value, any_case })
}

fn pseudo(
    parser: &mut Parser<'_>,
    depth: u8,
    reading: &mut Reading,
    current: &mut Compound,
    found: &mut Complex,
) -> Parsed<()> {
    let token = match parser.next_including_whitespace() {
        Ok(token) => token.clone(),
        Err(_) => return invalid(),
    };
    let test = match token {
        Token::Colon => {
            let name = match parser.next_including_whitespace() {
                Ok(Token::Ident(name)) => name.to_ascii_lowercase(),
                Ok(Token::Function(name)) => {
                    let name = name.to_ascii_lowercase();
                    parser.parse_nested_block(|inner| {
                        while inner.next().is_ok() {}
                        Ok::<_, ParseError<()>>(())
                    })?;
                    name
                }
                _ => return invalid(),
            };
            if name.starts_with("-moz-") || name.starts_with("-ms-") || name.starts_with("-o-") {
                return invalid();
            }
            found.is_pseudo = true;
            Test::Never
        }
        Token::Ident(name) => {
            let name = name.to_ascii_lowercase();
            let nth = |offset: i32, from_end: bool, of_type: bool| Test::Nth {
                step: 0,
                offset,
                from_end,
                of_type,
                of: Vec::new(),
            };
            found.specificity += CLASS;
            match name.as_str() {
                "before" | "after" | "first-line" | "first-letter" => {
                    found.is_pseudo = true;
                    Test::Never
                }
                "root" => Test::Root,
                "empty" => Test::Empty,
                "first-child" => nth(1, false, false),
                "last-child" => nth(1, true, false),
                "first-of-type" => nth(1, false, true),
                "last-of-type" => nth(1, true, true),
                "only-child" => Test::Only { of_type: false },
                "only-of-type" => Test::Only { of_type: true },
                "link" | "any-link" | "-webkit-any-link" => Test::Link,
                "checked" => Test::Checked,
                "disabled" => Test::Disabled(true),
                "enabled" => Test::Disabled(false),
                "defined" => Test::Defined,
                "scope" => Test::Root,
                _ if STATES.contains(&name.as_str()) => {
                    found.is_state = true;
                    Test::Never
                }
                _ => return invalid(),
            }
        }
        Token::Function(name) => {
            let name = name.to_ascii_lowercase();
            let test = parser.parse_nested_block(|inner| function(inner, &name, depth, reading))?;
            found.specificity += match &test {
                Test::Any(_) if name == "where" => 0,
                Test::Any(all) | Test::Not(all) | Test::Has(all) => {
                    all.iter().map(|one| one.specificity).max().unwrap_or(0)
                }
                Test::Nth { of, .. } => CLASS + of.iter().map(|one| one.specificity).max().unwrap_or(0),
                _ => CLASS,
            };
            found.is_state |= matches!(test, Test::Never);
            if let Test::Any(all) | Test::Has(all) = &test {
                found.is_state |= !all.is_empty() && all.iter().all(|one| one.is_state);
            }
            test
        }
        _ => return invalid(),
    };
    current.tests.push(test);
    Ok(())
}

/// Pseudo-classes of a state that the page as delivered is not in.
const STATES: [&str; 38] = [
    "hover",
    "focus",
    "focus-within",
    "focus-visible",
    "active",
    "visited",
    "target",
    "target-within",
    "placeholder-shown",
    "autofill",
    "-webkit-autofill",
    "fullscreen",
    "-webkit-full-screen",
    "valid",
    "invalid",
    "user-valid",
    "user-invalid",
    "in-range",
    "out-of-range",
    "indeterminate",
    "default",
    "playing",
    "paused",
    "modal",
    "popover-open",
    "open",
    "read-only",
    "read-write",
    "current",
    "past",
    "future",
    "local-link",
    "host",
    "required",
    "optional",
    "picture-in-picture",
    "active-view-transition",
    "buffering",
];

fn function(parser: &mut Parser<'_>, name: &str, depth: u8, reading: &mut Reading) -> Parsed<Test> {
    let drain = |parser: &mut Parser<'_>| while parser.next().is_ok() {};
    if depth >= MAX_NESTED {
        return invalid();
    }
    Ok(match name {
        "not" => Test::Not(read_list(parser, depth + 1, reading)?),
        "is" | "where" | "matches" | "-webkit-any" => Test::Any(
            parser.parse_comma_separated_ignoring_errors(|inner| complex(inner, depth + 1, reading)),
        ),
        "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
            let (step, offset) = cssparser::parse_nth(parser)?;
            let of_type = name.ends_with("type");
            let of = match parser.next() {
                Err(_) => Vec::new(),
                Ok(Token::Ident(word)) if word.eq_ignore_ascii_case("of") && !of_type => {
                    read_list(parser, depth + 1, reading)?
                }
                Ok(_) => return invalid(),
            };
            Test::Nth { step, offset, from_end: name.contains("last"), of_type, of }
        }
        "has" => Test::Has(parser.parse_comma_separated(|inner| relative(inner, depth + 1, reading))?),
        "dir" => match parser.expect_ident()?.to_ascii_lowercase().as_str() {
            "rtl" => Test::Dir { is_right: true },
            "ltr" => Test::Dir { is_right: false },
            _ => Test::Never,
        },
        "lang" => Test::Lang(
            parser.parse_comma_separated(|inner| Ok(Box::from(&**inner.expect_ident_or_string()?)))?,
        ),
        "state" | "host" | "host-context" => {
            drain(parser);
            Test::Never
        }
        _ => return invalid(),
    })
}

/// A selector of `:has()`, which may begin with what leads to it from the element that is asked.
fn relative(parser: &mut Parser<'_>, depth: u8, reading: &mut Reading) -> Parsed<Complex> {
    let sign = parser.try_parse(|inner| match inner.next() {
        Ok(Token::Delim('>')) => Ok(Combinator::Child),
        Ok(Token::Delim('+')) => Ok(Combinator::Next),
        Ok(Token::Delim('~')) => Ok(Combinator::Later),
        _ => Err(()),
    });
    let mut found = complex(parser, depth, reading)?;
    found.compounds.push(Compound { tests: vec![Test::Anchor], leads: sign.unwrap_or_default() });
    Ok(found)
}

/// Adds the bit of a name, which others may share.
pub(super) fn note(bits: &mut [u64; 4], name: &str) {
    let slot = crate::recent::slot_of(name) % 256;
    if let Some(place) = bits.get_mut(slot / 64) {
        *place |= 1 << (slot % 64);
    }
}

/// Steps that matching may still take.
pub(super) struct Budget {
    left: Cell<u64>,
    /// The element that a `:has()` is being asked of: one cannot be in another.
    anchor: Cell<Option<NodeId>>,
}

impl Budget {
    pub(super) fn new(steps: u64) -> Self {
        Budget { left: Cell::new(steps), anchor: Cell::new(None) }
    }

    /// Whether a step is left, which is then taken.
    pub(super) fn step(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}

/// How a match went.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Yes,
    No,
    /// No ancestor matches, so none will from further out.
    Never,
}

impl Complex {
    /// The name by which the rightmost compound is found.
    pub(super) fn key(&self) -> Key<'_> {
        let tests = self.compounds.first().map(|compound| compound.tests.as_slice()).unwrap_or_default();
        let names = tests.iter().map(|test| match test {
            Test::Id(name) => Key::Id(name),
            Test::Class(name) => Key::Class(name),
            Test::Tag(name) => Key::Tag(name),
            Test::Attribute { name, .. } => Key::Attribute(name),
            _ => Key::Any,
        });
        names.min().unwrap_or(Key::Any)
    }

    /// The classes and ids of the rightmost compound.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let tests = self.compounds.first().map(|compound| compound.tests.as_slice()).unwrap_or_default();
        tests.iter().filter_map(|test| match test {
            Test::Id(name) | Test::Class(name) => Some(&**name),
            _ => None,
        })
    }

    /// Whether a compound that is not the rightmost, or the rightmost itself, names a class for which `is_it` holds.
    pub(super) fn has_class(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.compounds
            .iter()
            .flat_map(|compound| &compound.tests)
            .any(|test| matches!(test, Test::Class(name) if is_it(name)))
    }

    /// Whether the element is one of those that are meant.
    pub(super) fn matches(&self, tree: &Tree, id: NodeId, budget: &Budget) -> bool {
        !self.is_pseudo && self.outcome(tree, 0, id, budget) == Outcome::Yes
    }

    /// Whether an element has what this selector of a `:has()` is about.
    fn is_had_by(&self, tree: &Tree, id: NodeId, budget: &Budget) -> bool {
        budget.anchor.set(Some(id));
        let is_it = |id: NodeId| budget.step() && tree.is_element(id) && self.matches(tree, id, budget);
        let is_inside = |id: NodeId| tree.descendants(id).take_while(|_| !budget.is_spent()).any(is_it);
        if matches!(
            self.compounds.last().map(|anchor| anchor.leads),
            Some(Combinator::Child | Combinator::Descendant)
        ) {
            return is_inside(id);
        }
        let after = std::iter::successors(tree.next_sibling(id), |&sibling| tree.next_sibling(sibling));
        after.take_while(|_| budget.step()).any(|sibling| is_it(sibling) || is_inside(sibling))
    }

    fn outcome(&self, tree: &Tree, place: usize, id: NodeId, budget: &Budget) -> Outcome {
        let Some(compound) = self.compounds.get(place) else { return Outcome::Yes };
        if !budget.step() || !compound.tests.iter().all(|test| holds(test, tree, id, budget)) {
            return Outcome::No;
        }
        let Some(next) = self.compounds.get(place + 1) else { return Outcome::Yes };
        match next.leads {
            Combinator::Child => match element_around(tree, id) {
                Some(parent) => self.outcome(tree, place + 1, parent, budget),
                None => Outcome::Never,
            },
            Combinator::Descendant => {
                let mut around = element_around(tree, id);
                while let Some(ancestor) = around {
                    match self.outcome(tree, place + 1, ancestor, budget) {
                        Outcome::No => around = element_around(tree, ancestor),
                        known => return known,
                    }
                    if !budget.step() {
                        break;
                    }
                }
                Outcome::Never
            }
            Combinator::Next => match element_before(tree, id, budget) {
                Some(before) => self.outcome(tree, place + 1, before, budget),
                None => Outcome::No,
            },
            Combinator::Later => {
                let mut before = element_before(tree, id, budget);
                while let Some(sibling) = before {
                    match self.outcome(tree, place + 1, sibling, budget) {
                        Outcome::No => before = element_before(tree, sibling, budget),
                        known => return known,
                    }
                }
                Outcome::No
            }
        }
    }
}

fn element_around(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.parent(id).filter(|&parent| tree.is_element(parent))
}

fn element_before(tree: &Tree, id: NodeId, budget: &Budget) -> Option<NodeId> {
    let mut before = tree.prev_sibling(id);
    while let Some(sibling) = before {
        if !budget.step() {
            return None;
        }
        if tree.is_element(sibling) {
            return Some(sibling);
        }
        before = tree.prev_sibling(sibling);
    }
    None
}

fn holds(test: &Test, tree: &Tree, id: NodeId, budget: &Budget) -> bool {
    match test {
        Test::Tag(name) => tree.name(id).eq_ignore_ascii_case(name),
        Test::Id(name) => tree.attr(id, "id") == Some(name),
        Test::Class(name) => tree
            .attr(id, "class")
            .is_some_and(|all| all.split_ascii_whitespace().any(|class| class == &**name)),
        Test::Attribute { name, operation, value, any_case } => {
            tree.attr(id, name).is_some_and(|own| compare(own, *operation, value, *any_case))
        }
        Test::Not(all) => !all.iter().any(|one| one.matches(tree, id, budget)),
        Test::Any(all) => all.iter().any(|one| one.matches(tree, id, budget)),
        Test::Has(all) => all.iter().any(|one| one.is_had_by(tree, id, budget)),
        Test::Anchor => budget.anchor.get() == Some(id),
        Test::Root => tree.tag(id) == Tag::Html,
        Test::Empty => tree.children(id).all(|child| {
            budget.step() && !tree.is_element(child) && tree.text(child).is_none_or(str::is_empty)
        }),
        Test::Nth { step, offset, from_end, of_type, of } => {
            let counts = |id: NodeId| of.is_empty() || of.iter().any(|one| one.matches(tree, id, budget));
            if !counts(id) {
                return false;
            }
            let place = place_of(tree, id, *from_end, *of_type, budget, counts);
            if *step == 0 {
                place == *offset
            } else {
                (place - offset) % step == 0 && (place - offset) / step >= 0
            }
        }
        Test::Only { of_type } => {
            place_of(tree, id, false, *of_type, budget, |_| true) == 1
                && place_of(tree, id, true, *of_type, budget, |_| true) == 1
        }
        Test::Lang(ranges) => {
            let mut around = std::iter::once(id).chain(tree.ancestors(id)).take_while(|_| budget.step());
            let own = around.find_map(|around| tree.attr(around, "lang")).unwrap_or_default();
            ranges.iter().any(|range| compare(own, Operation::Dash, range, true))
        }
        Test::Dir { is_right } => {
            let mut around = std::iter::once(id).chain(tree.ancestors(id)).take_while(|_| budget.step());
            let own = around.find_map(|around| {
                let dir = tree.attr(around, "dir")?;
                ["rtl", "ltr", "auto"].into_iter().find(|known| dir.eq_ignore_ascii_case(known))
            });
            // What `auto` comes to depends on the letters.
            own.unwrap_or("ltr") == if *is_right { "rtl" } else { "ltr" }
        }
        Test::Link => matches!(tree.tag(id), Tag::A | Tag::Area) && tree.attr(id, "href").is_some(),
        Test::Checked => tree.attr(id, "checked").is_some() || tree.attr(id, "selected").is_some(),
        Test::Disabled(is) => {
            let can = matches!(
                tree.tag(id),
                Tag::Button | Tag::Input | Tag::Select | Tag::Textarea | Tag::Fieldset | Tag::Option
            );
            can && tree.attr(id, "disabled").is_some() == *is
        }
        Test::Defined => tree.is_foreign(id) || !tree.name(id).contains('-'),
        Test::Never => false,
    }
}

/// The place among the siblings, from 1.
fn place_of(
    tree: &Tree,
    id: NodeId,
    from_end: bool,
    of_type: bool,
    budget: &Budget,
    counts: impl Fn(NodeId) -> bool,
) -> i32 {
    let step = |id: NodeId| if from_end { tree.next_sibling(id) } else { tree.prev_sibling(id) };
    let mut place = 1;
    let mut other = step(id);
    while let Some(sibling) = other {
        if !budget.step() {
            return 0;
        }
        if tree.is_element(sibling) && (!of_type || tree.name(sibling) == tree.name(id)) && counts(sibling) {
            place += 1;
        }
        other = step(sibling);
    }
    place
}

fn compare(own: &str, operation: Operation, value: &str, any_case: bool) -> bool {
    if any_case && own.bytes().chain(value.bytes()).any(|byte| byte.is_ascii_uppercase()) {
        return compare(&own.to_ascii_lowercase(), operation, &value.to_ascii_lowercase(), false);
    }
    match operation {
        Operation::Exists => true,
        Operation::Equals => own == value,
        Operation::Includes => !value.is_empty() && own.split_ascii_whitespace().any(|word| word == value),
        Operation::Dash => {
            own.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        }
        Operation::Prefix => !value.is_empty() && own.starts_with(value),
        Operation::Suffix => !value.is_empty() && own.ends_with(value),
        Operation::Substring => !value.is_empty() && own.contains(value),
    }
}
