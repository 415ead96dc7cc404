#!/usr/bin/env python3
"""Mutants of one library, compiled once: does the library's own test suite notice when its code is changed?

    mutants.py PACKAGE COUNT SEED FOLDER [PATTERN]

`cargo mutants --list` says what to change. Instead of building once a mutant, a copy of the workspace in FOLDER gets all
mutants of the sample at once, each behind a question for its number. Each test is run once to see which questions it asks.
Then each mutant is tried with the tests that ask for it, the quickest first, with its number in the environment. COUNT may be
"all", or "again": what survived by target/mutants/PACKAGE.json.before. PATTERN is searched in the paths of files to change, such
as `src/content/`. A mutant that does not compile is taken out, as `cargo mutants` does with unviable ones. Not tried: mutants in
constants, and those that change no expression of their own (`&&` of a let chain).

    MUTANTS_JOBS=2        mutants that are tried at a time
    MUTANTS_SECONDS=600   try no further mutant after so long; they are tried in an order drawn by the seed
    MUTANTS_SLOW=no       leave out tests of over a second: less is caught than could be
    MUTANTS_TESTS=a,b     of the programs in `tests/`, build these only: the same

Prints one JSON object: how many were tried, caught, timed out, unviable, and the names of those that survived. Each line of
what goes to standard error has a mutant and the test that caught it.
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import tree_sitter_rust
from tree_sitter import Language, Parser

QUESTION = """
mod __mutant {
    extern crate std;
    use std::io::Write as _;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
    static ACTIVE: AtomicUsize = AtomicUsize::new(usize::MAX);
    static IS_NOTED: AtomicBool = AtomicBool::new(false);
    static ASKED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    /// Whether this mutant runs.
    #[inline(always)]
    pub(crate) fn on(number: usize) -> bool {
        let mut active = ACTIVE.load(Relaxed);
        if active == usize::MAX {
            active = begin();
        }
        if IS_NOTED.load(Relaxed) {
            note(number);
        }
        active == number
    }
    #[cold]
    fn begin() -> usize {
        IS_NOTED.store(std::env::var_os("MUTANTS_ASKED").is_some(), Relaxed);
        let active = std::env::var("MUTANT").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
        ACTIVE.store(active, Relaxed);
        active
    }
    /// Writes down, once a process, that this mutant was asked for.
    #[cold]
    fn note(number: usize) {
        if !ASKED[number].load(Relaxed) && !ASKED[number].swap(true, Relaxed) {
            let path = std::env::var_os("MUTANTS_ASKED").unwrap();
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
            file.write_all(std::format!("{number}\n").as_bytes()).unwrap();
        }
    }
}
"""
TIMED = {"linear", "hostile", "growth", "allocations", "memory"}
# A program that ends badly without naming a test.
NAMELESS = "(the program)"
# A test that takes longer than so many seconds is a slow one; one below the other is called together with others.
SLOW = 1.0
QUICK = 0.2
JOBS = int(os.environ.get("MUTANTS_JOBS", "2"))
# A mutant may make an endless list: so many bytes a test program may take.
MEMORY = 6 << 30


def tell(*what):
    print(time.strftime("%H:%M:%S"), *what, file=sys.stderr, flush=True)


class File:
    """A source file and the mutants of the sample in it."""

    def __init__(self, path):
        self.path = path
        self.text = open(path, "rb").read()
        self.tree = Parser(Language(tree_sitter_rust.language())).parse(self.text)
        self.starts = [0]
        for line in self.text.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def offset(self, place):
        start = self.starts[place["line"] - 1]
        line = self.text[start : self.starts[place["line"]]].decode()
        return start + len(line[: place["column"] - 1].encode())

    def node(self, start, end, kinds):
        """The innermost node of these kinds around a span."""
        node = self.tree.root_node.descendant_for_byte_range(start, max(start, end - 1))
        while node is not None and node.type not in kinds:
            node = node.parent
        return node

    def is_constant(self, node):
        while node is not None:
            if node.type in ("const_item", "static_item", "attribute_item", "array_type", "macro_definition"):
                return True
            if node.type == "function_item":
                return False
            node = node.parent
        return True

    def edit(self, mutant):
        """What to do for a mutant: (start, end of what is replaced, kind, details), or None where nothing can be."""
        start, end = self.offset(mutant["span"]["start"]), self.offset(mutant["span"]["end"])
        genre, new = mutant["genre"], mutant["replacement"]
        if genre == "FnValue":
            node = self.node(start, end, {"function_item"})
            body = node and node.child_by_field_name("body")
            return body and (body.start_byte, body.end_byte, "body", new)
        if genre == "BinaryOperator":
            node = self.node(start, end, {"binary_expression", "compound_assignment_expr", "let_chain"})
            if node is None or node.type == "let_chain" or self.is_constant(node):
                return None
            sides = node.child_by_field_name("left"), node.child_by_field_name("right")
            if any("let" in self.text[a:b].decode() and re.search(r"\blet\b", self.text[a:b].decode())
                   for a, b in [(node.start_byte, node.end_byte)]):
                return None
            left, right = ((side.start_byte, side.end_byte) for side in sides)
            if not left[1] <= start < right[0]:
                return None
            return node.start_byte, node.end_byte, "binary", (left, right, self.text[start:end].decode(), new)
        if genre == "UnaryOperator":
            node = self.node(start, end, {"unary_expression"})
            if node is None or node.start_byte != start or self.is_constant(node):
                return None
            return start, node.end_byte, "unary", (end, node.end_byte)
        if genre == "MatchArmGuard":
            if re.search(r"\blet\b", self.text[start:end].decode()):
                return None
            return start, end, "guard", new
        if genre == "MatchArm":
            node = self.node(start, end, {"match_arm"})
            pattern = node and node.child_by_field_name("pattern")
            if pattern is None:
                return None
            guard = pattern.child_by_field_name("condition")
            if guard is not None and re.search(r"\blet\b", guard.text.decode()):
                return None
            if guard is not None:
                return guard.start_byte, guard.end_byte, "guard", "false"
            return pattern.end_byte, pattern.end_byte, "arm", None
        if genre == "StructField":
            node = self.node(start, end, {"struct_expression"})
            if node is None or self.is_constant(node):
                return None
            # The field and the comma behind it go.
            while self.text[end : end + 1] in b" \n":
                end += 1
            end += self.text[end : end + 1] == b","
            return node.start_byte, node.end_byte, "field", (start, end)
        return None

    def render(self, edits):
        """The text with these edits: {(start, end): [(number, kind, details)]}."""
        places = sorted(edits, key=lambda place: (place[0], -place[1]))

        def raw(a, b):
            return self.text[a:b].decode()

        def piece(a, b, own=None):
            out, at = "", a
            for place in places:
                if place == own or place[0] < at or place[1] > b:
                    continue
                if own is not None and place[0] <= own[0] and place[1] >= own[1]:
                    continue
                out += raw(at, place[0]) + wrap(place)
                at = place[1]
            return out + raw(at, b)

        def wrap(place):
            a, b = place
            kind = edits[place][0][1]
            # One mutant runs at a time: its way needs no questions inside.
            ways = ""
            for number, _, details in edits[place]:
                question = f"crate::__mutant::on({number})"
                if kind == "body":
                    ways += f"if {question} {{ return {details}; }}\n"
                    continue
                if kind == "arm":
                    return f" if !{question}"
                if kind == "binary":
                    left, right, _, new = details
                    way = f"{raw(*left)} {new} {raw(*right)}"
                elif kind == "unary":
                    way = raw(*details)
                elif kind == "guard":
                    way = details
                elif kind == "field":
                    way = raw(a, details[0]) + raw(details[1], b)
                ways += f"if {question} {{ {way} }} else "
            if kind == "body":
                # Attributes of the body stay where they have to be, at its beginning.
                return "{ " + ways + piece(a + 1, b, place)
            return f"({ways}{{ {piece(a, b, place)} }})"

        return piece(0, len(self.text))


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **more)


def limited(command):
    return ["sh", "-c", f'ulimit -v {MEMORY >> 10}; exec "$@"', "sh", *command]


def first_failure(command, folder, environment, seconds):
    """The first test that a test program says fails, "" where none does. None where time ran out."""
    # In a session of its own, so that what it starts ends with it.
    program = subprocess.Popen(limited(command), cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, errors="replace", start_new_session=True)

    def end():
        try:
            os.killpg(program.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    late = threading.Event()
    timer = threading.Timer(seconds, lambda: (late.set(), end()))
    timer.start()
    failure = ""
    for line in program.stdout:
        if match := re.match(r"test (\S+)(?: - should panic)? \.\.\. (?:.*)FAILED", line):
            failure = match[1]
            end()
            break
    program.stdout.close()
    code = program.wait()
    timer.cancel()
    if late.is_set() and not failure:
        return None
    return failure or (NAMELESS if code else "")


class Library:
    """The package under change, in its copy of the workspace."""

    def __init__(self, package, folder):
        self.package, self.folder = package, folder
        packages = json.loads(run(["cargo", "metadata", "--no-deps", "--format-version=1"], folder).stdout)["packages"]
        self.manifest = next(it["manifest_path"] for it in packages if it["name"] == package)
        self.crate = os.path.dirname(self.manifest)
        self.root = os.path.relpath(os.path.join(self.crate, "src/lib.rs"), folder)
        # The seed makes properties take the same inputs with every mutant.
        self.environment = dict(
            os.environ, CARGO_TERM_COLOR="never", INSTA_UPDATE="no", INSTA_WORKSPACE_ROOT=folder, RUST_BACKTRACE="0",
            PROPTEST_CASES=os.environ.get("PROPTEST_CASES", "32"), PROPTEST_RNG_SEED="2026", CARGO_MANIFEST_DIR=self.crate,
            PROPTEST_DISABLE_FAILURE_PERSISTENCE="true", CARGO_PROFILE_DEV_DEBUG="false")
        self.files, self.edits, self.mutants, self.untried, self.unviable = {self.root: self.file(self.root)}, {}, {}, [], []

    def file(self, path):
        return File(os.path.join(self.folder, path))

    def change(self, sample):
        """Takes in what to change."""
        for number, mutant in enumerate(sample, 1):
            path = mutant["file"]
            if path not in self.files:
                self.files[path] = self.file(path)
            edit = self.files[path].edit(mutant)
            # One way of changing each place.
            if edit is None or any(it[1] != edit[2] for it in self.edits.get(path, {}).get(edit[:2], [])):
                self.untried.append(mutant["name"])
                continue
            self.edits.setdefault(path, {}).setdefault(edit[:2], []).append((number, edit[2], edit[3]))
            self.mutants[number] = mutant
        # Lints are about people's code, not about this.
        text = open(self.manifest).read()
        open(self.manifest, "w").write(text.replace("[lints]\nworkspace = true", "[lints.rust]\nunused = \"allow\""))

    def write(self):
        """Writes the changed files. Gives back which mutants are in which line."""
        where = {}
        for path, file in self.files.items():
            text = file.render({place: its for place, its in self.edits.get(path, {}).items() if its})
            if path == self.root:
                text += QUESTION.replace("COUNT", str(max(self.mutants, default=0) + 1))
            text = unconst(text)
            open(os.path.join(self.folder, path), "w").write(text)
            for at, line in enumerate(text.split("\n"), 1):
                if numbers := [int(it) for it in re.findall(r"__mutant::on\((\d+)\)", line)]:
                    where[(path, at)] = numbers
        return where

    def build(self):
        """The test programs, by name, after those mutants are taken out that do not compile."""
        programs = os.environ.get("MUTANTS_TESTS")
        chosen = [it for name in programs.split(",") for it in ("--test", name)] if programs else ["--tests"]
        steps = [["check", "--lib"], ["test", "--no-run", "--lib", *chosen]]
        for attempt in range(60):
            where = self.write()
            built = run(["cargo", *steps[0], "--all-features", "-p", self.package, "--message-format=json"], self.folder,
                        env=self.environment)
            messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
            if built.returncode == 0 and len(steps) > 1:
                steps.pop(0)
                continue
            if built.returncode == 0:
                return [(it["target"]["name"], it["executable"]) for it in messages
                        if it.get("reason") == "compiler-artifact" and it.get("executable") and it["profile"]["test"]
                        and it["target"]["name"] not in TIMED]
            errors = [it["message"] for it in messages
                      if it.get("reason") == "compiler-message" and it["message"]["level"] == "error"]
            bad = {number for error in errors for number in self.blamed(error, where)} & set(self.mutants)
            tell(f"attempt {attempt + 1}: {len(bad)} do not compile")
            if not bad:
                tell("cannot be built", [it["message"] for it in errors[:5]], built.stderr[-1500:])
                break
            for its in self.edits.values():
                for place in its:
                    its[place] = [it for it in its[place] if it[0] not in bad]
            self.unviable += [self.mutants.pop(number)["name"] for number in sorted(bad)]
        sys.exit(1)

    def blamed(self, error, where):
        """The mutants that an error of the compiler is about."""
        bad = set()
        for span in error["spans"]:
            path = os.path.relpath(os.path.join(self.folder, span["file_name"]), self.folder)
            lines = range(span["line_start"], span["line_end"] + 1)
            found = {number for at in lines for number in where.get((path, at), [])}
            if len(lines) == 1 and span["text"]:
                # Of several in a line, the last one that begins before.
                questions = re.finditer(r"__mutant::on\((\d+)\)", span["text"][0]["text"])
                before = [int(it[1]) for it in questions if it.start() < span["column_start"]]
                found = {before[-1]} if before else found
            if not found:
                # Inside of a change over several lines: the last one that begins before.
                before = [at for other, at in where if other == path and at <= span["line_start"]]
                found = set(where[(path, max(before))]) if before else set()
            if "non-exhaustive" in error["message"]:
                # The error is told of the match as a whole: the arms behind its head.
                behind = [at for other, at in where if other == path and at > span["line_start"]]
                found = set(where[(path, min(behind))]) if behind else found
            bad |= found
        for name in re.findall(r"non-const (?:associated )?(?:function|method) `([^`]*)`", error["message"]):
            last = re.sub(r"<.*>", "", name).split("::")[-1]
            bad |= {number for number, it in self.mutants.items()
                    if it["function"] and it["function"]["function_name"].split("::")[-1] == last}
        return bad


class Tests:
    """The tests of a library, and which of them ask for which mutant."""

    def __init__(self, library, executables):
        self.library, self.executables = library, dict(executables)
        self.seconds, self.asking = {}, defaultdict(list)

    def call(self, program, tests, seconds, **environment):
        return first_failure([self.executables[program], "--exact", "--test-threads=1", *tests], self.library.crate,
                             dict(self.library.environment, **environment), seconds)

    def prepare(self):
        """Runs each test alone. What fails without a mutant, such as a count of allocations, is left out: it says nothing of one."""
        every = []
        for program, executable in self.executables.items():
            listed = run([executable, "--list", "--format", "terse"], self.library.crate, env=self.library.environment).stdout
            every += [(program, test) for test in re.findall(r"^(.*): test$", listed, re.M)]
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(JOBS) as pool:
            def look(number):
                program, test = every[number]
                path, began = os.path.join(folder, str(number)), time.monotonic()
                failure = self.call(program, [test], 300, MUTANT="0", MUTANTS_ASKED=path)
                took = time.monotonic() - began
                slow = took > SLOW and os.environ.get("MUTANTS_SLOW") == "no"
                if failure == "" and not slow and os.path.exists(path):
                    self.seconds[every[number]] = took
                    for line in open(path):
                        self.asking[int(line)].append(every[number])
                return None if failure == "" and not slow else (test, "slow" if slow else "fails")

            left_out = [it for it in pool.map(look, range(len(every))) if it]
        if not self.seconds:
            # Nothing would be run, and every mutant would seem to survive.
            tell("no test asks for a mutant", left_out)
            sys.exit(1)
        slowest = sorted(self.seconds, key=self.seconds.get)[-5:]
        tell(f"{len(self.seconds)} tests, {sum(self.seconds.values()):.0f} s; left out: {left_out}; "
             f"slowest: {[(it[1], round(self.seconds[it], 1)) for it in slowest]}")

    def catch(self, number):
        """The test that catches a mutant; "" for one that survives, None where time runs out."""
        asking = sorted(self.asking[number], key=self.seconds.get)
        # Most are caught by the quickest tests. Each call of a program takes tests of it alone; slow ones have calls of their own,
        # so that one that never ends is not waited for as long as for all of them.
        quick = [it for it in asking if self.seconds[it] < QUICK]
        slow = [[it] for it in asking[len(quick):]]
        for lot in quick[:10], quick[10:60], quick[60:], *slow:
            by_program = defaultdict(list)
            for program, test in lot:
                by_program[program].append(test)
            for program, tests in by_program.items():
                seconds = 10 + 10 * sum(self.seconds[program, test] for test in tests)
                failure = self.call(program, tests, seconds, MUTANT=str(number))
                if failure != "":
                    return failure and f"{program} {failure}"
        return ""


def main():
    package, count, seed, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    run(["git", "checkout", "-q", "."], folder)
    # A failure that a property of an earlier run wrote down would fail every run.
    run(["git", "clean", "-q", "-f", "-d", "crates"], folder)
    listed = run(["cargo", "mutants", "--list", "--json", "--all-features", "-p", package], folder)
    part = sys.argv[5] if len(sys.argv) > 5 else ""
    everything = [it for it in json.loads(listed.stdout) if re.search(part, it["file"])]
    if count == "again":
        # Without line and column: what is above them may have changed since.
        place = re.compile(r":\d+:\d+:")
        before = json.load(open(f"target/mutants/{package}.json.before"))["missed"]
        before = {place.sub(":", name, count=1) for name in before}
        everything = [it for it in everything if place.sub(":", it["name"], count=1) in before]
    by_chance = random.Random(f"{package} {seed}")
    sample = everything if count in ("all", "again") else by_chance.sample(everything, min(int(count), len(everything)))
    sample.sort(key=lambda mutant: (mutant["file"], mutant["span"]["start"]["line"], mutant["name"]))
    library = Library(package, folder)
    library.change(sample)
    tests = Tests(library, library.build())
    tell(f"{package}: {len(library.mutants)} mutants, {list(tests.executables)}")
    tests.prepare()

    end = time.monotonic() + float(os.environ.get("MUTANTS_SECONDS", "inf"))
    caught, timeout, missed = 0, 0, []

    def one(number):
        name = library.mutants[number]["name"]
        if time.monotonic() > end:
            return name, "untried"
        failure = tests.catch(number)
        tell(name, "->", failure or {"": "survives" if tests.asking[number] else "survives: no test asks"}.get(failure, "timeout"))
        return name, failure

    with ThreadPoolExecutor(JOBS) as pool:
        for name, failure in pool.map(one, by_chance.sample(sorted(library.mutants), len(library.mutants))):
            if failure == "untried":
                library.untried.append(name)
            caught += failure not in ("", None, "untried")
            timeout += failure is None
            if failure == "":
                missed.append(name)
    place = {mutant["name"]: at for at, mutant in enumerate(sample)}
    print(json.dumps({"package": package, "mutants": len(everything), "seed": seed, "tried": caught + timeout + len(missed),
                      "caught": caught, "timeout": timeout, "missed": sorted(missed, key=place.get),
                      "unviable": library.unviable, "untried": library.untried}))
    run(["git", "checkout", "-q", "."], folder)


def unconst(text):
    """Takes `const` from each function whose body asks."""
    out, at = [], 0
    for match in re.finditer(r"\bconst (fn \w+)", text):
        body = text.find("{", match.end())
        # Up to the next function: asking behind that is another's.
        following = re.search(r"\n\s*(?:pub(?:\([a-z]+\))? )?(?:const )?fn \w+", text[match.end():])
        end = match.end() + following.start() if following else len(text)
        if body < end and "__mutant::on(" in text[body:end]:
            out.append(text[at : match.start()])
            at = match.start() + len("const ")
    out.append(text[at:])
    return "".join(out)


if __name__ == "__main__":
    main()
