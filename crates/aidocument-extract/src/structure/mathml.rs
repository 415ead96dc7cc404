//! Converts presentation MathML to TeX, for formulas without TeX source.

use crate::tree::{NodeId, Tree};

/// Elements inside one another that are read as such; deeper ones give their text.
const MAX_DEPTH: usize = 48;

/// The TeX of a `<math>` element. `O(n)`.
pub(super) fn to_tex(tree: &Tree, math: NodeId) -> String {
    let mut writer = Writer { tree, out: String::new() };
    writer.children(math, 0);
    writer.out
}

struct Writer<'a> {
    tree: &'a Tree,
    out: String,
}

/// Elements with an argument that is not to be written twice.
type Elements = Vec<NodeId>;

impl Writer<'_> {
    /// Adds a piece, with a space between a command and a letter.
    fn push(&mut self, piece: &str) {
        let letter = piece.starts_with(|c: char| c.is_ascii_alphabetic());
        let name = self.out.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let ends_in_command =
            name < self.out.len() && self.out.get(..name).is_some_and(|head| head.ends_with('\\'));
        if letter && ends_in_command {
            self.out.push(' ');
        }
        self.out.push_str(piece);
    }

    fn elements(&self, id: NodeId) -> Elements {
        self.tree.children(id).filter(|&child| self.tree.is_element(child)).collect()
    }

    fn text(&self, id: NodeId) -> String {
        let pieces = self.tree.descendants(id).filter_map(|inner| self.tree.text(inner));
        pieces.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn children(&mut self, id: NodeId, depth: usize) {
        for child in self.elements(id) {
            self.element(child, depth);
        }
    }

    /// An argument in braces.
    fn group(&mut self, id: Option<&NodeId>, depth: usize) {
        self.out.push('{');
        if let Some(&id) = id {
            self.element(id, depth);
        }
        self.out.push('}');
    }

    /// The base of a script or accent: in braces, unless it is a single sign.
    fn base(&mut self, id: Option<&NodeId>, depth: usize) {
        let start = self.out.len();
        if let Some(&id) = id {
            self.element(id, depth);
        }
        let written = self.out.get(start..).unwrap_or_default().trim();
        let is_command =
            written.strip_prefix('\\').is_some_and(|name| name.chars().all(|c| c.is_ascii_alphabetic()));
        if written.chars().count() > 1 && !is_command {
            self.out.insert(start, '{');
            self.out.push('}');
        }
    }

    fn element(&mut self, id: NodeId, depth: usize) {
        if depth > MAX_DEPTH {
            let text = self.text(id);
            self.symbols(&text);
            return;
        }
        let depth = depth + 1;
        let name = self.tree.name(id).to_ascii_lowercase();
        let parts = if name.starts_with('m') { self.elements(id) } else { Elements::new() };
        let (first, second, third) = (parts.first(), parts.get(1), parts.get(2));
        match name.as_str() {
            "mi" => self.identifier(id),
            "mn" | "ms" => {
                let text = self.text(id);
                self.push(&text);
            }
            "mo" => {
                let text = self.text(id);
                self.symbols(&text);
            }
            "mtext" => {
                let text = self.text(id);
                if !text.is_empty() {
                    self.push(&format!("\\text{{{}}}", text.replace(['{', '}', '\\'], "")));
                }
            }
            "mspace" => self.push(" "),
            "semantics" => {
                if let Some(&first) = self.elements(id).first() {
                    self.element(first, depth);
                }
            }
            "annotation" | "annotation-xml" | "mphantom" | "none" | "mprescripts" => {}
            "mfrac" => {
                let binomial = self
                    .tree
                    .attr(id, "linethickness")
                    .is_some_and(|width| width.trim_start().starts_with('0'));
                self.push(if binomial { "\\binom" } else { "\\frac" });
                self.group(first, depth);
                self.group(second, depth);
            }
            "msqrt" => {
                self.push("\\sqrt{");
                self.children(id, depth);
                self.out.push('}');
            }
            "mroot" => {
                self.push("\\sqrt[");
                if let Some(&second) = second {
                    self.element(second, depth);
                }
                self.out.push(']');
                self.group(first, depth);
            }
            "msup" | "msub" | "msubsup" | "munderover" => {
                self.base(first, depth);
                let signs: &[char] = match name.as_str() {
                    "msup" => &['^'],
                    "msub" => &['_'],
                    _ => &['_', '^'],
                };
                for (sign, part) in signs.iter().zip([second, third]) {
                    self.out.push(*sign);
                    self.group(part, depth);
                }
            }
            "mover" | "munder" => self.accent(first, second, name == "mover", depth),
            "mtable" => self.table(id, depth),
            "mfenced" => self.fenced(id, &parts, depth),
            "menclose" => {
                let notation = self.tree.attr(id, "notation").unwrap_or_default();
                self.push(match notation {
                    "top" => "\\overline{",
                    "bottom" => "\\underline{",
                    "radical" => "\\sqrt{",
                    _ => "\\boxed{",
                });
                self.children(id, depth);
                self.out.push('}');
            }
            "mmultiscripts" => self.scripts(&parts, depth),
            _ => self.children(id, depth),
        }
    }

    /// A base with pairs of scripts after it, and those after `<mprescripts>` before it.
    fn scripts(&mut self, parts: &[NodeId], depth: usize) {
        let Some((base, scripts)) = parts.split_first() else { return };
        let mut sides = scripts.split(|&part| self.tree.name(part) == "mprescripts");
        let (behind, front) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
        for pair in front.chunks(2) {
            self.pair("{}", pair, depth);
        }
        self.base(Some(base), depth);
        for (place, pair) in behind.chunks(2).enumerate() {
            self.pair(if place > 0 { "{}" } else { "" }, pair, depth);
        }
    }

    /// A lower and an upper script, should one of them say something; `to` is what they are attached to.
    fn pair(&mut self, to: &str, pair: &[NodeId], depth: usize) {
        let says = |part: Option<&NodeId>| part.copied().filter(|&part| self.tree.name(part) != "none");
        let scripts = [('_', says(pair.first())), ('^', says(pair.get(1)))];
        if scripts.iter().any(|(_, part)| part.is_some()) {
            self.out.push_str(to);
        }
        for (sign, part) in scripts {
            if part.is_some() {
                self.out.push(sign);
                self.group(part.as_ref(), depth);
            }
        }
    }

    fn identifier(&mut self, id: NodeId) {
        let text = self.text(id);
        if text.chars().count() < 2 {
            self.symbols(&text);
        } else if FUNCTIONS.contains(&text.as_str()) {
            self.push(&format!("\\{text}"));
        } else if text.chars().all(|c| c.is_ascii_alphabetic()) {
            self.push(&format!("\\mathrm{{{text}}}"));
        } else {
            self.symbols(&text);
        }
    }

    /// Signs, each as its command where it has one.
    fn symbols(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                // Function application and its like, which are not seen.
                '\u{2061}'..='\u{2064}' | '\u{200b}' => {}
                '{' | '}' | '%' | '&' | '#' | '_' => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                '\\' => self.push("\\backslash"),
                _ => match SYMBOLS.iter().find(|(symbol, _)| *symbol == c) {
                    Some((_, command)) => self.push(&format!("\\{command}")),
                    None => self.push(c.encode_utf8(&mut [0; 4])),
                },
            }
        }
    }

    fn accent(&mut self, base: Option<&NodeId>, mark: Option<&NodeId>, over: bool, depth: usize) {
        let sign = mark.map(|&mark| self.text(mark)).unwrap_or_default();
        let command = if over {
            ACCENTS.iter().find(|(known, _)| *known == sign).map(|(_, command)| *command)
        } else {
            match sign.as_str() {
                "_" | "\u{332}" | "¯" => Some("underline"),
                "⏟" => Some("underbrace"),
                _ => None,
            }
        };
        if let Some(command) = command {
            self.push(&format!("\\{command}"));
            self.group(base, depth);
            return;
        }
        self.base(base, depth);
        self.out.push(if over { '^' } else { '_' });
        self.group(mark, depth);
    }

    fn table(&mut self, id: NodeId, depth: usize) {
        let rows: Elements = self.elements(id);
        let cells = |writer: &Self, row: NodeId| {
            let mut cells = writer.elements(row);
            // The number of an equation is its label.
            if writer.tree.name(row) == "mlabeledtr" && !cells.is_empty() {
                cells.remove(0);
            }
            cells
        };
        let is_one = rows.len() == 1 && rows.first().is_some_and(|&row| cells(self, row).len() < 2);
        let aligned = self.tree.attr(id, "displaystyle") == Some("true")
            || self.tree.attr(id, "columnalign").is_some_and(|align| align.contains("right"));
        let name = if aligned { "aligned" } else { "matrix" };
        if !is_one {
            self.push(&format!("\\begin{{{name}}} "));
        }
        for (place, &row) in rows.iter().enumerate() {
            if place > 0 {
                self.out.push_str(" \\\\ ");
            }
            for (place, &cell) in cells(self, row).iter().enumerate() {
                if place > 0 {
                    self.out.push_str(" & ");
                }
                self.children(cell, depth);
            }
        }
        if !is_one {
            self.out.push_str(&format!(" \\end{{{name}}}"));
        }
    }

    fn fenced(&mut self, id: NodeId, parts: &[NodeId], depth: usize) {
        let sign = |name: &str, usual: &str| self.tree.attr(id, name).unwrap_or(usual).trim().to_owned();
        let (open, close, between) = (sign("open", "("), sign("close", ")"), sign("separators", ","));
        self.symbols(&open);
        for (place, &part) in parts.iter().enumerate() {
            if place > 0
                && let Some(sign) = between.chars().nth(place - 1).or_else(|| between.chars().next_back())
            {
                self.symbols(sign.encode_utf8(&mut [0; 4]));
            }
            self.element(part, depth);
        }
        self.symbols(&close);
    }
}

/// Names of functions that TeX has commands for.
const FUNCTIONS: &[&str] = &[
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "det", "dim", "exp", "gcd", "inf", "ker",
    "lim", "liminf", "limsup", "ln", "log", "max", "min", "sec", "sin", "sinh", "sup", "tan", "tanh",
];

/// Marks over a base, and the commands that put them there.
#[rustfmt::skip]
const ACCENTS: &[(&str, &str)] = &[
    ("^", "hat"), ("ˆ", "hat"), ("~", "tilde"), ("˜", "tilde"), ("→", "vec"), ("⃗", "vec"), ("˙", "dot"), ("¨", "ddot"),
    ("¯", "overline"), ("‾", "overline"), ("_", "overline"), ("ˇ", "check"), ("˘", "breve"), ("⏞", "overbrace"),
];

/// Signs and their commands.
#[rustfmt::skip]
const SYMBOLS: &[(char, &str)] = &[
    ('α', "alpha"), ('β', "beta"), ('γ', "gamma"), ('δ', "delta"), ('ϵ', "epsilon"), ('ε', "varepsilon"), ('ζ', "zeta"),
    ('η', "eta"), ('θ', "theta"), ('ι', "iota"), ('κ', "kappa"), ('λ', "lambda"), ('μ', "mu"), ('ν', "nu"), ('ξ', "xi"),
    ('π', "pi"), ('ρ', "rho"), ('σ', "sigma"), ('τ', "tau"), ('υ', "upsilon"), ('φ', "varphi"), ('ϕ', "phi"),
    ('χ', "chi"), ('ψ', "psi"), ('ω', "omega"), ('Γ', "Gamma"), ('Δ', "Delta"), ('Θ', "Theta"), ('Λ', "Lambda"),
    ('Ξ', "Xi"), ('Π', "Pi"), ('Σ', "Sigma"), ('Φ', "Phi"), ('Ψ', "Psi"), ('Ω', "Omega"), ('∑', "sum"), ('∏', "prod"),
    ('∫', "int"), ('∮', "oint"), ('∂', "partial"), ('∇', "nabla"), ('∞', "infty"), ('±', "pm"), ('∓', "mp"),
    ('×', "times"), ('÷', "div"), ('⋅', "cdot"), ('·', "cdot"), ('≤', "leq"), ('≥', "geq"), ('≠', "neq"),
    ('≈', "approx"), ('≡', "equiv"), ('∼', "sim"), ('∝', "propto"), ('∈', "in"), ('∉', "notin"), ('∋', "ni"),
    ('⊂', "subset"), ('⊆', "subseteq"), ('⊃', "supset"), ('⊇', "supseteq"), ('∪', "cup"), ('∩', "cap"), ('∅', "emptyset"),
    ('∀', "forall"), ('∃', "exists"), ('¬', "neg"), ('∧', "wedge"), ('∨', "vee"), ('⇒', "Rightarrow"), ('⇐', "Leftarrow"),
    ('⇔', "Leftrightarrow"), ('→', "rightarrow"), ('←', "leftarrow"), ('↦', "mapsto"), ('↔', "leftrightarrow"),
    ('…', "dots"), ('⋯', "cdots"), ('⋮', "vdots"), ('⋱', "ddots"), ('⟨', "langle"), ('⟩', "rangle"), ('⌊', "lfloor"),
    ('⌋', "rfloor"), ('⌈', "lceil"), ('⌉', "rceil"), ('‖', "Vert"), ('⊕', "oplus"), ('⊗', "otimes"), ('∘', "circ"),
    ('⋆', "star"), ('∗', "ast"), ('†', "dagger"), ('ℝ', "mathbb{R}"), ('ℕ', "mathbb{N}"), ('ℤ', "mathbb{Z}"),
    ('ℚ', "mathbb{Q}"), ('ℂ', "mathbb{C}"), ('ℓ', "ell"), ('ℏ', "hbar"), ('√', "surd"), ('∠', "angle"), ('⊥', "perp"),
    ('∥', "parallel"), ('△', "triangle"), ('□', "square"), ('≪', "ll"), ('≫', "gg"), ('≅', "cong"), ('≃', "simeq"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn tex(html: &str) -> String {
        let tree = Tree::parse(&format!("<math>{html}</math>"));
        let math = tree.descendants(Tree::ROOT).find(|&id| tree.name(id) == "math").unwrap();
        to_tex(&tree, math)
    }

    #[test]
    fn presentation_is_read() {
        for (html, expected) in [
            (
                "<mi>x</mi><mo>=</mo><mfrac><mn>1</mn><msqrt><mi>a</mi></msqrt></mfrac>",
                "x=\\frac{1}{\\sqrt{a}}",
            ),
            ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
            ("<msup><mrow><mi>x</mi><mo>+</mo><mi>y</mi></mrow><mn>2</mn></msup>", "{x+y}^{2}"),
            ("<msubsup><mo>∑</mo><mi>i</mi><mi>n</mi></msubsup>", "\\sum_{i}^{n}"),
            ("<mi>sin</mi><mo>\u{2061}</mo><mi>x</mi>", "\\sin x"),
            ("<mover><mi>F</mi><mo>→</mo></mover>", "\\vec{F}"),
            ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt[3]{x}"),
            ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)"),
            ("<mtext>if so</mtext>", "\\text{if so}"),
            (
                "<mtable columnalign='right left'><mtr><mtd><mi>x</mi></mtd><mtd><mi>y</mi></mtd></mtr>\
                 <mtr><mtd><mi>u</mi></mtd><mtd><mi>v</mi></mtd></mtr></mtable>",
                "\\begin{aligned} x & y \\\\ u & v \\end{aligned}",
            ),
            (
                "<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>a</mi></mtd></mlabeledtr></mtable>",
                "a",
            ),
            ("<mi>α</mi><mi>x</mi>", "\\alpha x"),
            ("<munder><mi>lim</mi><mi>n</mi></munder>", "\\lim_{n}"),
            ("<menclose notation=top><mi>A</mi></menclose>", "\\overline{A}"),
        ] {
            assert_eq!(tex(html), expected, "{html}");
        }
    }

    #[test]
    fn a_command_and_a_letter_behind_it_stay_apart() {
        for (html, expected) in [
            ("<mi>α</mi><mi>x</mi>", "\\alpha x"),
            ("<mi>α</mi><mi>β</mi>", "\\alpha\\beta"),
            ("<mi>α</mi><mn>2</mn>", "\\alpha2"),
            ("<mi>x</mi><mi>y</mi>", "xy"),
            ("<mo>{</mo><mi>x</mi><mo>}</mo><mi>y</mi>", "\\{x\\}y"),
            ("<mi>a</mi><mspace/><mi>b</mi>", "a b"),
        ] {
            assert_eq!(tex(html), expected, "{html}");
        }
    }

    #[test]
    fn names_numbers_and_signs_are_told_apart() {
        for (html, expected) in [
            ("<mi>sin</mi>", "\\sin"),
            ("<mi>tea</mi>", "\\mathrm{tea}"),
            ("<mi>x1</mi>", "x1"),
            ("<mi>x</mi>", "x"),
            ("<mn>10</mn><ms>ab</ms>", "10ab"),
            ("<mo>a\u{2062}b\u{200b}c</mo>", "abc"),
            ("<mo>%</mo><mo>&amp;</mo><mo>#</mo><mo>_</mo>", "\\%\\&\\#\\_"),
            ("<mi>A</mi><mo>\\</mo><mi>B</mi>", "A\\backslash B"),
            ("<mo>≤</mo><mo>&lt;</mo><mi>é</mi>", "\\leq<é"),
            ("<mtext>if {a} \\ b</mtext>", "\\text{if a  b}"),
            ("<mtext> </mtext>", ""),
        ] {
            assert_eq!(tex(html), expected, "{html}");
        }
    }

    #[test]
    fn what_is_not_seen_is_not_written() {
        for (html, expected) in [
            ("<semantics><mi>a</mi><mi>b</mi></semantics>", "a"),
            ("<semantics></semantics>", ""),
            ("<mi>a</mi><mphantom><mi>b</mi></mphantom>", "a"),
            ("<mi>a</mi><annotation>b</annotation><annotation-xml><mi>c</mi></annotation-xml>", "a"),
            ("<mi>a</mi><none></none><mprescripts></mprescripts>", "a"),
            ("<mstyle><mi>a</mi></mstyle><mpadded><mi>b</mi></mpadded>", "ab"),
        ] {
            assert_eq!(tex(html), expected, "{html}");
        }
    }

    #[test]
    fn fractions_and_roots_have_their_arguments_in_order() {
        for (html, expected) in [
            ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", "\\binom{n}{k}"),
            ("<mfrac linethickness=' 0pt'><mi>n</mi><mi>k</mi></mfrac>", "\\binom{n}{k}"),
            ("<mfrac linethickness=1px><mi>n</mi><mi>k</mi></mfrac>", "\\frac{n}{k}"),
            ("<mfrac><mi>n</mi></mfrac>", "\\frac{n}{}"),
            ("<msqrt><mi>a</mi><mi>b</mi></msqrt>", "\\sqrt{ab}"),
            ("<mroot><mi>x</mi></mroot>", "\\sqrt[]{x}"),
            ("<menclose notation=bottom><mi>A</mi></menclose>", "\\underline{A}"),
            ("<menclose notation=radical><mi>A</mi></menclose>", "\\sqrt{A}"),
            ("<menclose><mi>A</mi></menclose>", "\\boxed{A}"),
        ] {
            assert_eq!(tex(html), expected, "{html}");
        }
    }

    #[test]
    fn scripts_and_accents_have_a_base_of_one_sign_or_in_braces() {
        for (html, expected) in [
            ("<msub><mi>x</mi><mn>1</mn></msub>", "x_{1}"),
            ("<msup><mi>x</mi></msup>", "x^{}"),
            ("<msup><mi>α</mi><mn>2</mn></msup>", "\\alpha^{2}"),
            ("<msup><mn>10</mn><mn>2</mn></msup>", "{10}^{2}"),
            ("<msup><mrow><mi>α</mi><mn>2</mn></mrow><mn>3</mn></msup>", "{\\alpha2}^{3}"),
            ("<munderover><mo>∫</mo><mn>0</mn><mn>1</mn></munderover>", "\\int_{0}^{1}"),
            ("<mover><mi>x</mi><mo>¯</mo></mover>", "\\overline{x}"),
            ("<mover><mi>x</mi><mi>n</mi></mover>", "x^{n}"),
            ("<munder><mi>x</mi><mo>_</mo></munder>", "\\underline{x}"),
            ("<munder><mi>x</mi><mo>⏟</mo></munder>", "\\underbrace{x}"),
            ("<munder><mi>x</mi><mo>→</mo></munder>", "x_{\\rightarrow}"),
            ("<mmultiscripts><mi>C</mi><mn>6</mn><none></none></mmultiscripts>", "C_{6}"),
            (
                "<mmultiscripts><mi>C</mi><none></none><mn>2</mn><mi>a</mi><mi>b</mi></mmultiscripts>",
                "C^{2}{}_{a}^{b}",
            ),
            (
                "<mmultiscripts><mi>C</mi><mn>6</mn><mn>2</mn><none></none><none></none></mmultiscripts>",
                "C_{6}^{2}",
            ),
            // An isotope: its numbers stand in front.
            (
                "<mmultiscripts><mi>C</mi><mprescripts></mprescripts><mn>6</mn><mn>14</mn></mmultiscripts>",
                "{}_{6}^{14}C",
            ),
            (
                "<mmultiscripts><mi>C</mi><mn>2</mn><none></none><mprescripts></mprescripts><none></none><mn>14</mn></mmultiscripts>",
                "{}^{14}C_{2}",
            ),
            ("<mmultiscripts></mmultiscripts>", ""),
        ] {
            assert_eq!(tex(html), expected, "{html}");
        }
    }

    #[test]
    fn tables_are_matrices_or_aligned_equations() {
        let cells = |row: &str| row.chars().map(|c| format!("<mtd><mi>{c}</mi></mtd>")).collect::<String>();
        for (attributes, rows, expected) in [
            ("", &["ab", "cd"][..], "\\begin{matrix} a & b \\\\ c & d \\end{matrix}"),
            ("", &["ab"], "\\begin{matrix} a & b \\end{matrix}"),
            ("", &["a", "b"], "\\begin{matrix} a \\\\ b \\end{matrix}"),
            ("", &["a"], "a"),
            ("displaystyle=true", &["ab"], "\\begin{aligned} a & b \\end{aligned}"),
            ("displaystyle=false columnalign=left", &["ab"], "\\begin{matrix} a & b \\end{matrix}"),
        ] {
            let rows: String = rows.iter().map(|row| format!("<mtr>{}</mtr>", cells(row))).collect();
            assert_eq!(tex(&format!("<mtable {attributes}>{rows}</mtable>")), expected);
        }
        // The number of an equation goes, also where it is all that its row has.
        let labelled = "<mtable><mlabeledtr><mtd><mn>1</mn></mtd></mlabeledtr></mtable>";
        assert_eq!(tex(labelled), "");
        assert_eq!(tex("<mtable><mlabeledtr></mlabeledtr></mtable>"), "");
    }

    #[test]
    fn fences_have_their_signs_between_the_parts() {
        for (attributes, expected) in [
            ("", "(a,b,c,d)"),
            ("open='[' close=']'", "[a,b,c,d]"),
            ("open='⟨' close='|'", "\\langle a,b,c,d|"),
            ("separators=';:'", "(a;b:c:d)"),
            ("separators=''", "(abcd)"),
        ] {
            let html = format!("<mfenced {attributes}><mi>a</mi><mi>b</mi><mi>c</mi><mi>d</mi></mfenced>");
            assert_eq!(tex(&html), expected);
        }
    }

    #[test]
    fn depth_is_bounded() {
        let html = format!("{}<mi>x</mi>", "<msqrt>".repeat(5_000));
        assert!(tex(&html).ends_with(&format!("x{}", "}".repeat(MAX_DEPTH + 1))));
    }
}
