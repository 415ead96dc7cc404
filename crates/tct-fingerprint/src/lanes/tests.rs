//! All widths of this machine beside the loop over bytes: what they give, and how much of a text they leave to others.

mod work;

use std::boxed::Box;
use std::cell::Cell;
use std::io::Write as _;
use std::string::String;
use std::vec::Vec;

use fearless_simd::Level;
use unicode_normalization::char::canonical_combining_class;

use super::chunk::PATCHES;
use super::{Bulk, CHUNK, Handled, Lanes, Plain, Scripts, VIEW};
use crate::kernel::Kernel;
use crate::out::Sink;

struct Collect(Vec<u8>);

impl Sink for Collect {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// What a text cost: how often 64 bytes of it were looked at, what in them no lane took care of, and bytes of the text that were
/// left to the kernel.
#[derive(Debug, Clone, Copy, Default)]
struct Work {
    looks: usize,
    patches: usize,
    left: usize,
}

/// A bulk path that notes its work.
#[derive(Clone, Copy)]
struct Noted<'a, B>(B, &'a Cell<Work>);

impl<B: Bulk> Bulk for Noted<'_, B> {
    fn group(self) -> usize {
        self.0.group()
    }

    fn bulk(
        self,
        src: &[u8; VIEW],
        out: &mut [u8; CHUNK],
        after_space: bool,
        scripts: &mut Scripts,
    ) -> Handled {
        let handled = self.0.bulk(src, out, after_space, scripts);
        let work = self.1.get();
        self.1.set(Work { looks: work.looks + 1, left: work.left - handled.read, ..work });
        handled
    }
}

/// What comes out of a text, and what that cost.
fn normalized(bulk: impl Bulk, text: &str) -> (String, Work) {
    let mut collect = Collect(Vec::new());
    let mut kernel = Kernel::default();
    let work = Cell::new(Work { left: text.len(), ..Work::default() });
    PATCHES.set(0);
    kernel.run_with(Noted(bulk, &work), text, &mut collect, true);
    kernel.end(&mut collect);
    let work = Work { patches: PATCHES.get(), ..work.get() };
    (String::from_utf8(collect.0).expect("whole characters"), work)
}

type Normalize = Box<dyn Fn(&str) -> (String, Work)>;

macro_rules! widths {
    ($($name:literal = $width:ident,)+) => {
        [$(($name, Level::new().$width().map(|lanes| {
            Box::new(move |text: &str| normalized(Lanes(lanes), text)) as Normalize
        }))),+]
    };
}

/// Every width of the target, the one that all its machines have first; `None` where this machine has none.
fn widths() -> impl IntoIterator<Item = (&'static str, Option<Normalize>)> {
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    {
        widths! { "SSE2" = as_sse2, "SSE4.2" = as_sse4_2, "AVX2" = as_avx2, "AVX-512" = as_avx512, }
    }
    #[cfg(target_arch = "aarch64")]
    {
        widths! { "NEON" = as_neon, }
    }
    #[cfg(target_arch = "wasm32")]
    {
        widths! { "simd128" = as_wasm_simd128, }
    }
}

/// Past the test harness, which shows nothing of a test that passes.
fn tell(line: &str) {
    std::io::stderr().write_all(line.as_bytes()).expect("standard error is there");
}

/// The widths that this machine has. One that it lacks is named in the test's output, and fails the test where
/// `LANES` in the environment names it, as `.ci/lanes` does for what the processor says that it has.
#[expect(clippy::disallowed_methods, reason = "a test's own switch")]
fn checked_widths() -> Vec<(&'static str, Normalize)> {
    let wanted = std::env::var("LANES").unwrap_or_default();
    let mut there = Vec::new();
    for (place, (name, normalize)) in widths().into_iter().enumerate() {
        let must = place == 0 || wanted.split(',').any(|wanted| wanted == name);
        assert!(!must || normalize.is_some(), "{name} is not checked");
        match normalize {
            Some(normalize) => there.push((name, normalize)),
            None => tell(&std::format!("skipped: {name}, this machine has none\n")),
        }
    }
    let names: Vec<_> = there.iter().map(|(name, _)| *name).collect();
    tell(&std::format!("checked: {}\n", names.join(", ")));
    there
}

/// All widths that this machine has, and the loop over bytes, agree on every character at many kinds of place.
#[test]
fn lanes_agree_with_the_loop_over_bytes() {
    let before = [
        "",
        "a",
        "ж",
        "漢字",
        "é b",
        "x\u{316}",
        " ",
        "&lt;",
        "e\u{301}",
        "\u{9C7}",
        "\u{B47}",
        "\u{BC6}",
        "ক",
        "\u{CC6}",
        "\u{CBF}",
        "\u{D46}",
        "\u{DD9}",
        "\u{1025}",
        "\u{80}",
        "&#x9C7;",
        "ක\u{DCA}",
        "\u{5E9}\u{5BC}",
        "\u{644}\u{651}",
        "\u{E01}\u{E38}",
        "\u{1100}\u{1161}",
        "\u{1112}",
        "a\u{323}",
        "\0\u{1F} \u{7F}",
        "&amp",
        "\u{334}\u{327}",
    ];
    let behind = "ABCDEFGHIJ klmnopqrstuvwxyz ÀÉÎẞß ЖДУЁё 漢字，ไทย नमस्ते 한국어 かな。عربي Ἀθήνας 0123456789";
    let blocks =
        ['\0'..='\u{33FF}', '\u{A640}'..='\u{AC40}', '\u{D770}'..='\u{D7FF}', '\u{F8F0}'..='\u{FFFF}'];
    let rest = ['\u{3400}'..='\u{D7FF}', '\u{10000}'..='\u{1FFFF}'];
    let widths = checked_widths();
    let others = rest.into_iter().flat_map(|block| block.step_by(61));
    let marks = ('\u{10000}'..='\u{1FFFF}').filter(|&c| canonical_combining_class(c) != 0);
    for c in blocks.into_iter().flatten().chain(others).chain(marks) {
        for before in before {
            let shift = &"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[u32::from(c) as usize % 26..];
            let text = std::format!("{before}{c}{c}{behind}{shift}{before}{c}{shift}{c}{before}");
            let (plain, _) = normalized(Plain, &text);
            for (name, normalize) in &widths {
                assert_eq!(normalize(&text).0, plain, "{name}, {text:?}");
            }
        }
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
#[test]
fn widths_have_names() {
    use super::Width;
    let is_there = |name: &str| Width::named(name).is_some();
    assert_eq!(is_there("sse2"), std::is_x86_feature_detected!("sse2"));
    assert_eq!(is_there("sse4.2"), std::is_x86_feature_detected!("sse4.2"));
    assert_eq!(is_there("avx2"), std::is_x86_feature_detected!("avx2"));
    assert!(!is_there("neon") && !is_there(""));
}
