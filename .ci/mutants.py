#!/usr/bin/env python3
"""Mutants of one library, compiled once: does the library's own test suite notice when its code is changed?

    mutants.py PACKAGE COUNT SEED FOLDER [PATTERN]

`cargo mutants --list` says what to change. Instead of building once a mutant, a copy of the workspace in FOLDER gets all
mutants of the sample at once, each behind a question for its number, and the tests are run once a mutant with the number in
the environment. PATTERN is searched in the paths of files to change, such as `src/content/`. A test program may take a minute,
or MUTANTS_TIMEOUT seconds. Tests that take over a second each are run last, for what the others let pass; with MUTANTS_SLOW=no
not at all, and then less is caught than could be. A mutant that does not compile is taken out, as `cargo mutants` does with
unviable ones. Not tried: mutants in constants, and those that change no expression of their own (`&&` of a let chain).

Prints one JSON object: how many were tried, caught, timed out, unviable, and the names of those that survived.
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

import tree_sitter_rust
from tree_sitter import Language, Parser

QUESTION = """
mod __mutant {
    extern crate std;
    static ACTIVE: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    /// Whether this mutant runs.
    pub(crate) fn on(number: usize) -> bool {
        let active = || std::env::var("MUTANT").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
        *ACTIVE.get_or_init(active) == number
    }
}
"""
TIMED = {"linear", "hostile", "growth", "allocations", "memory"}
# A program that ends badly without naming a test.
NAMELESS = "(the program)"
TIMEOUT = int(os.environ.get("MUTANTS_TIMEOUT", "60"))
# A test that takes longer than so many seconds comes last.
SLOW = 1.0


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
            if guard is not None and "let" in guard.type:
                return None
            if guard is not None:
                return guard.start_byte, guard.end_byte, "arm-guard", None
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

        def piece(a, b, own=None):
            out, at = "", a
            for place in places:
                if place == own or place[0] < at or place[1] > b or (place[0] < a):
                    continue
                if own is not None and place[0] <= own[0] and place[1] >= own[1]:
                    continue
                out += self.text[at : place[0]].decode() + wrap(place)
                at = place[1]
            return out + self.text[at:b].decode()

        def wrap(place):
            a, b = place
            kind = edits[place][0][1]
            inner = [it for it in edits[place] if it[1] == kind]
            if kind == "body":
                ways = "".join(f"if crate::__mutant::on({n}) {{ return {new}; }} " for n, _, new in inner)
                # Attributes of the body stay where they have to be, at its beginning.
                return "{ " + ways + piece(a + 1, b, place)
            ways = ""
            for number, _, details in inner:
                if kind == "binary":
                    (la, lb), (ra, rb), _, new = details
                    way = f"{piece(la, lb, place)} {new} {piece(ra, rb, place)}"
                elif kind == "unary":
                    way = piece(*details, place)
                elif kind == "guard":
                    way = details
                elif kind == "field":
                    way = piece(a, details[0], place) + piece(details[1], b, place)
                elif kind == "arm":
                    return f" if !crate::__mutant::on({number})"
                elif kind == "arm-guard":
                    return f"!crate::__mutant::on({number}) && ({piece(a, b, place)})"
                ways += f"if crate::__mutant::on({number}) {{ {way} }} else "
            if kind == "binary":
                (la, lb), (ra, rb), old, _ = inner[0][2]
                original = f"{piece(la, lb, place)} {old} {piece(ra, rb, place)}"
            else:
                original = piece(a, b, place)
            return f"({ways}{{ {original} }})"

        text = piece(0, len(self.text))
        # A question cannot be asked at compile time.
        return text


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **more)


def tests_failed(command, folder, environment, all_of_them):
    """The tests that a test program says fail, only the first of them unless all are asked for. None where time ran out."""
    # In a session of its own, so that what it starts ends with it.
    program = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               start_new_session=True)

    def end():
        try:
            os.killpg(program.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    late = threading.Event()
    timer = threading.Timer(TIMEOUT, lambda: (late.set(), end()))
    timer.start()
    failures = []
    for line in program.stdout:
        if match := re.match(r"test (\S+)(?: - should panic)? \.\.\. FAILED", line):
            failures.append(match[1])
            if not all_of_them:
                end()
                break
    program.stdout.close()
    code = program.wait()
    timer.cancel()
    if late.is_set() and not failures:
        return None
    return failures or ([NAMELESS] if code else [])


class Programs:
    """The test programs of a library, quick tests before slow ones."""

    def __init__(self, executables, crate, environment):
        self.executables, self.crate, self.environment = executables, crate, environment
        self.left_out, self.slow, self.spent = [], {}, {}

    def failed(self, number, command, all_of_them=False):
        return tests_failed(command, self.crate, dict(self.environment, MUTANT=str(number)), all_of_them)

    def prepare(self):
        """Leaves out what fails without a mutant, such as a count of allocations, which says nothing about one."""
        for name, executable in self.executables:
            # The time of each test: an option of the compiler's test programs that is not stable.
            began = time.monotonic()
            told = run([executable, "-Z", "unstable-options", "--report-time"], self.crate,
                       env=dict(self.environment, MUTANT="0", RUSTC_BOOTSTRAP="1")).stdout
            times = re.findall(r"test (\S+)(?: - should panic)? \.\.\. (\w+) <([0-9.]+)s>", told)
            self.slow[executable] = [test for test, _, seconds in times if float(seconds) > SLOW]
            self.spent[executable] = time.monotonic() - began - max((float(it[2]) for it in times), default=0)
            self.left_out += [test for test, word, _ in times if word == "FAILED"]
            for _ in range(3):
                failures = self.failed(0, self.quick(executable), all_of_them=True)
                if failures is None or failures == [NAMELESS]:
                    tell("fails without a mutant", name)
                    sys.exit(1)
                if not failures:
                    break
                self.left_out += failures
        # The quick ones first: most mutants are caught there.
        self.executables.sort(key=lambda it: (bool(self.slow[it[1]]), self.spent[it[1]]))
        tell("left out:", self.left_out, "slow:", [self.slow[executable] for _, executable in self.executables])

    def quick(self, executable):
        skip = self.left_out + self.slow.get(executable, [])
        return [executable, "--exact"] + [it for name in skip for it in ("--skip", name)]

    def catch(self, number):
        """Which program catches a mutant and by which test; ("timeout", []), or (None, []) for one that survives."""
        commands = [(name, self.quick(executable)) for name, executable in self.executables]
        if os.environ.get("MUTANTS_SLOW") != "no":
            slow = [(name, executable, [it for it in self.slow[executable] if it not in self.left_out])
                    for name, executable in self.executables]
            commands += [(name, [executable, "--exact", *tests]) for name, executable, tests in slow if tests]
        for name, command in commands:
            failures = self.failed(number, command)
            if failures is None:
                return "timeout", []
            if failures:
                return name, failures
        return None, []


def main():
    package, count, seed, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    run(["git", "checkout", "-q", "."], folder)
    # A failure that a property of an earlier run wrote down would fail every run.
    run(["git", "clean", "-q", "-f", "-d", "crates"], folder)
    listed = run(["cargo", "mutants", "--list", "--json", "--all-features", "-p", package], folder)
    part = sys.argv[5] if len(sys.argv) > 5 else ""
    everything = [it for it in json.loads(listed.stdout) if re.search(part, it["file"])]
    sample = random.Random(f"{package} {seed}").sample(everything, min(count, len(everything)))
    sample.sort(key=lambda mutant: (mutant["file"], mutant["span"]["start"]["line"], mutant["name"]))
    files, edits, mutants, untried = {}, {}, {}, []
    for number, mutant in enumerate(sample, 1):
        path = mutant["file"]
        file = files.setdefault(path, File(os.path.join(folder, path)))
        edit = file.edit(mutant)
        # One way of changing each place; an `arm` in place of another edit of the same place waits for another day.
        if edit is None or any(it[1] != edit[2] or edit[2].startswith("arm") for it in edits.get(path, {}).get(edit[:2], [])):
            untried.append(mutant["name"])
            continue
        edits.setdefault(path, {}).setdefault(edit[:2], []).append((number, edit[2], edit[3]))
        mutants[number] = mutant
    manifest = next(it["manifest_path"] for it in json.loads(
        run(["cargo", "metadata", "--no-deps", "--format-version=1"], folder).stdout)["packages"] if it["name"] == package)
    crate = os.path.dirname(manifest)
    root = os.path.join(crate, "src/lib.rs")
    # Lints are about people's code, not about this.
    text = open(manifest).read()
    open(manifest, "w").write(text.replace("[lints]\nworkspace = true", "[lints.rust]\nunused = \"allow\""))
    environment = dict(os.environ, CARGO_TERM_COLOR="never", INSTA_UPDATE="no", INSTA_WORKSPACE_ROOT=folder,
                       PROPTEST_CASES=os.environ.get("PROPTEST_CASES", "32"), PROPTEST_DISABLE_FAILURE_PERSISTENCE="true",
                       RUST_BACKTRACE="0", CARGO_PROFILE_DEV_DEBUG="false", CARGO_MANIFEST_DIR=crate)
    unviable, nonconst = [], set()
    for attempt in range(60):
        where = {}
        for path, file in files.items():
            text = file.render({place: its for place, its in edits.get(path, {}).items() if its})
            if path.endswith("src/lib.rs"):
                text += QUESTION
            # Functions that ask are not constant any more.
            lines = []
            for line in text.split("\n"):
                lines.append(line)
            text = "\n".join(lines)
            text = unconst(text)
            open(os.path.join(folder, path), "w").write(text)
            for at, line in enumerate(text.split("\n"), 1):
                numbers = [int(it) for it in re.findall(r"__mutant::on\((\d+)\)", line)]
                if numbers:
                    where[(path, at)] = numbers
        if not any(path.endswith("src/lib.rs") for path in files):
            lib = run(["git", "show", "HEAD:" + os.path.relpath(root, folder)], folder).stdout
            open(root, "w").write(lib + QUESTION)
        built = run(["cargo", "test", "--no-run", "--all-features", "-p", package, "--lib", "--tests",
                     "--message-format=json"], folder, env=environment)
        executables, bad, told = [], set(), []
        for line in built.stdout.splitlines():
            if not line.startswith("{"):
                continue
            message = json.loads(line)
            if message.get("reason") == "compiler-artifact" and message.get("executable") and message["profile"]["test"]:
                executables.append((message["target"]["name"], message["executable"]))
            if message.get("reason") == "compiler-message" and message["message"]["level"] == "error":
                told.append(message["message"]["message"])
                for span in message["message"]["spans"]:
                    path = os.path.relpath(os.path.join(folder, span["file_name"]), folder)
                    lines = range(span["line_start"], span["line_end"] + 1)
                    found = {n for at in lines for n in where.get((path, at), [])}
                    if not found:
                        # Inside of a change over several lines: the last one that begins before.
                        before = [at for other, at in where if other == path and at <= span["line_start"]]
                        found = set(where[(path, max(before))]) if before else set()
                    if "non-exhaustive" in message["message"]["message"]:
                        # The error is told of the match as a whole: the arms behind its head.
                        behind = [at for other, at in where if other == path and at > span["line_start"]]
                        found = set(where[(path, min(behind))]) if behind else found
                    bad |= found
                for name in re.findall(r"non-const (?:associated )?(?:function|method) `([^`]*)`", message["message"]["message"]):
                    last = re.sub(r"<.*>", "", name).split("::")[-1]
                    bad |= {n for n, it in mutants.items() if it["function"] and
                            it["function"]["function_name"].split("::")[-1] == last}
        if built.returncode == 0:
            break
        if not bad:
            tell("cannot be built", told[:5], built.stderr[-1500:])
            sys.exit(1)
        tell(f"attempt {attempt + 1}: {len(bad)} do not compile")
        for its in edits.values():
            for place in its:
                its[place] = [it for it in its[place] if it[0] not in bad]
        unviable += [mutants.pop(number)["name"] for number in sorted(bad) if number in mutants]
    executables = [it for it in executables if it[0] not in TIMED]
    if built.returncode or not executables:
        # Nothing would be run, and every mutant would seem to survive.
        tell("no test programs")
        sys.exit(1)
    tell(f"{package}: {len(mutants)} mutants, {[name for name, _ in executables]}")

    programs = Programs(executables, crate, environment)
    programs.prepare()
    caught, timeout, missed = 0, 0, []
    for number, mutant in mutants.items():
        name, tests = programs.catch(number)
        caught += name not in (None, "timeout")
        timeout += name == "timeout"
        if name is None:
            missed.append(mutant["name"])
        tell(mutant["name"], "->", name, tests[:2])
    print(json.dumps({"package": package, "mutants": len(everything), "seed": seed, "tried": len(mutants), "caught": caught,
                      "timeout": timeout, "missed": missed, "unviable": unviable, "untried": untried}))
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
