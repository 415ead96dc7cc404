#!/usr/bin/env python3
"""Runs the vectors of this folder against an implementation that speaks the line protocol.

    run.py [OPTION...] PROGRAM [ARG...]     e.g.  run.py --only tct.canonicalize node my-adapter.js
    run.py --explain ID                     what a case asks for, and why

The program reads one JSON request a line, {"id", "op", "in"}, and writes one JSON answer a line, {"id", "ok"} or
{"id", "err": {"kind"}}, and nothing else on its standard output; its standard error is shown as it comes.
A case passes when the answer has the expected members with values of the same JSON type (true is not 1, and 1.0 is
not 1), or an error of the expected kind (--any-error takes every error). Operations that the program answers with
`unknown-op` are counted apart.

A case that fails tells its input, what was expected and found, the first difference, the requirement's sentence and
where it stands. A case counts against the program only when its basis is `text`, a rule of the specification; those
that rest on a `reading`, a `limit` or an `errata` of ours are told apart (--count all counts them, too).
Where the program ends early, that is the failure of the case it was at, and it is started again with the rest.
Exit status: 0 nothing counted failed, 1 something did, 2 the program could not be run or does not speak the protocol.
Needs Python's standard library only.
"""
import argparse, base64, binascii, collections, copy, functools, json, os, pathlib, subprocess, sys, unicodedata
from xml.sax.saxutils import escape, quoteattr

HOME = pathlib.Path(__file__).parent
BASES = ("text", "reading", "limit", "errata")
STARTS = 20  # of a program that keeps ending early


def same(expected, found):
    """Whether two JSON values are equal and of the same type at every level."""
    if type(expected) is not type(found):
        return False
    if isinstance(expected, dict):
        return expected.keys() == found.keys() and all(same(value, found[name]) for name, value in expected.items())
    if isinstance(expected, list):
        return len(expected) == len(found) and all(map(same, expected, found))
    return expected == found


def passes(case, answer, any_error):
    """Whether an answer is the one that a case expects."""
    if "err" in case:
        return "err" in answer and (any_error or answer["err"].get("kind") == case["err"]["kind"])
    found = answer.get("ok")
    return isinstance(found, dict) and all(name in found and same(value, found[name]) for name, value in case["ok"].items())


# ---- what a failure tells


def visible(text):
    """The text with what cannot be seen, or joins its neighbour, as JSON escapes: the result reads as the same JSON."""

    def hidden(character):
        return character != " " and unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn", "Zl", "Zp", "Zs")

    return "".join(json.dumps(c)[1:-1] if hidden(c) else c for c in text)


def readable(value):
    """The value with each member `…_b64` decoded, and renamed so that nobody takes it for the input's spelling."""
    if isinstance(value, list):
        return [readable(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    plain = {}
    for name, inner in value.items():
        decoded = decode(inner) if name.endswith("_b64") and isinstance(inner, str) else None
        plain[f"{name} decoded" if decoded is not None else name] = readable(inner) if decoded is None else decoded
    return plain


def decode(text):
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    try:
        return found.decode("utf-8")
    except UnicodeDecodeError:
        return "bytes " + found.hex(" ")


def shown(value, most=400):
    """A value on one line, shortened in its middle."""
    text = visible(json.dumps(value, ensure_ascii=False))
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3]} …{len(text) - most} characters… {text[-(most // 3) :]}"


def code_point(character):
    return f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"


def difference(expected, found, at=""):
    """Where two JSON values differ first, in words, or None: a JSON Pointer, and in texts the character."""
    if same(expected, found):
        return None
    place = at or "the answer"
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, value in expected.items():
            inner = f"{at}/{name.replace('~', '~0').replace('/', '~1')}"
            if name not in found:
                # The member's own name, under which an answer has to have it.
                return f"{inner.removesuffix(' decoded')}: missing, expected {shown(value, 120)}"
            told = difference(value, found[name], inner)
            if told:
                return told
        extra = next(name for name in found if name not in expected)
        return f"{place}: has a member {json.dumps(extra)} that is not expected"
    if isinstance(expected, list) and isinstance(found, list):
        for index, (one, other) in enumerate(zip(expected, found)):
            told = difference(one, other, f"{at}/{index}")
            if told:
                return told
        return f"{place}: expected {len(expected)} elements, found {len(found)}"
    if isinstance(expected, str) and isinstance(found, str):
        index = next((n for n, (a, b) in enumerate(zip(expected, found)) if a != b), min(len(expected), len(found)))
        ends = ["the end" if index >= len(text) else code_point(text[index]) for text in (expected, found)]
        return f"{place}: at character {index} (of {len(expected)}), expected {ends[0]}, found {ends[1]}"
    return f"{place}: expected {shown(expected, 120)}, found {shown(found, 120)}"


@functools.cache
def rows():
    """The requirements by ID, each with its document."""
    found = {}
    for path in sorted((HOME / "requirements").glob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        found.update((row["id"], {**row, "spec": file["spec"]}) for row in file["requirements"])
    return found


@functools.cache
def hashed():
    """What each text is before it is hashed: a digest that differs does not tell where its input did."""
    return {case["in"]["text"]: case["ok"]["text"] for _, _, case in load("tct.normalize") if "ok" in case}


def rules(case):
    """A line for each requirement of a case: its own sentence and where it stands."""
    for name in case["requirements"]:
        row = rows().get(name)
        if row is None:
            yield "rule", name
            continue
        yield "rule", f"{name} ({row['level']}, {row['role']}): {row['text']}"
        if "problem" in row:
            yield "open", row["problem"]
    places = [rows()[name] for name in case["requirements"] if name in rows()]
    places = dict.fromkeys(f"{row['spec']}, “{case.get('section') or row['section']}”" for row in places)
    yield from (("where", place) for place in places)


def told(name, operation, case, answer=None, whole=False):
    """The story of a case: a line for each part of it. `answer` is None where there was none, and {} to leave it out."""
    most = 1_000_000 if whole else 400
    expected = {"ok": readable(case["ok"])} if "ok" in case else {"err": case["err"]}
    lines = [
        ("why", case.get("comment", "the case has no comment")),
        ("input", shown(readable(case["in"]), most)),
        ("expected", shown(expected["ok"], most) if "ok" in case else f"an error of kind {case['err']['kind']}"),
    ]
    if answer is None:
        lines.append(("found", "no answer"))
    elif "ended" in answer:
        lines.append(("found", answer["ended"]))
    elif "err" in answer:
        message = answer["err"].get("message")
        lines.append(("found", f"an error of kind {answer['err']['kind']}" + (f": {visible(str(message))[:most]}" if message else "")))
    elif "ok" in answer:
        found = readable(answer["ok"])
        lines.append(("found", shown(found, most)))
        if "ok" in case:
            compared = {member: found[member] for member in expected["ok"] if member in found} if isinstance(found, dict) else found
            # Base64 that differs and decodes to the same text is still a difference.
            lines.append(("differs", difference(expected["ok"], compared) or difference(case["ok"], answer["ok"])))
    if operation == "tct.fingerprint" and case["in"].get("text") in hashed():
        lines.append(("hashed", f"the text that goes into the digest is {shown(hashed()[case['in']['text']], most)}"))
    lines += rules(case)
    head = f"{case['id']}  ({name}, {operation}, basis {case.get('basis', 'text')})"
    return "\n".join([head, *(f"  {label:9} {text}" for label, text in lines)])


# ---- the cases


def load(only):
    """The cases whose operation begins with `only`, each with its file and operation."""
    cases = []
    for path in sorted(HOME.glob("*/*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        for case in file.get("cases", []):
            operation = case.get("op", file.get("op"))
            if operation.startswith(only):
                cases.append((path, operation, case))
    return cases


def load_stories(only):
    """The stories with a step whose operation begins with `only`, each with its file."""
    stories = []
    for path in sorted(HOME.glob("stories/*.json")):
        for story in json.loads(path.read_text(encoding="utf-8"))["stories"]:
            if any(step["op"].startswith(only) for step in story["steps"]):
                stories.append((path, story))
    return stories


def at(value, pointer):
    """What a JSON Pointer names; a KeyError where nothing is there."""
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(token)] if isinstance(value, list) else value[token]
        except (IndexError, ValueError, TypeError):
            raise KeyError(pointer) from None
    return value


def filled(step, answers):
    """A step's input, with what it carries over from the answers to the steps before it."""
    given = copy.deepcopy(step["in"])
    for to, origin in step.get("carry", {}).items():
        parent, _, name = to.rpartition("/")
        holder = at(given, parent)
        name = int(name) if isinstance(holder, list) else name.replace("~1", "/").replace("~0", "~")
        holder[name] = copy.deepcopy(at(answers, origin))
    return given


def step_case(story, number, given):
    """One step of a story as a case, whose id names both."""
    step = story["steps"][number]
    comment = f"{story['comment']} – step {number + 1} of {len(story['steps'])}: {step['comment']}"
    kept = {name: story[name] for name in ("basis", "requirements", "section") if name in story}
    return {**kept, **{name: step[name] for name in ("ok", "err") if name in step},
            "id": f"{story['id']}/{number + 1}", "comment": comment, "in": given}


class ProtocolError(Exception):
    """The program cannot be run, or what it writes is not the line protocol. The text is one line."""


def ask(program, cases, timeout=None):
    """The program's answers by their id. A program that ends early is started again behind the case that it was at."""
    answers, left, idle, starts = {}, cases, 0, 0
    while left:
        found, ended = run_once(program, left, timeout)
        starts += 1
        answers.update(found)
        if ended is None:
            break
        unanswered = [case for case in left if case[2]["id"] not in found]
        if not unanswered:
            break
        at_case = unanswered[0][2]["id"]
        answers[at_case] = {"id": at_case, "ended": f"the program {ended} at this case, after {len(found)} answers"}
        idle = 0 if found else idle + 1
        left = unanswered[1:]
        if idle == 3 or starts == STARTS:  # it never gets anywhere
            for _, _, case in left:
                if case["id"] not in found:
                    answers[case["id"]] = {"id": case["id"], "ended": f"not asked: the program {ended}, after {starts} starts"}
            break
    return answers


def run_once(program, cases, timeout):
    """The answers of one process, and how it ended where that was not well."""
    requests = "".join(
        json.dumps({"id": case["id"], "op": operation, "in": case["in"]}) + "\n" for _, operation, case in cases
    )
    try:
        run = subprocess.run(program, input=requests.encode(), stdout=subprocess.PIPE, timeout=timeout)
        output, status = run.stdout, run.returncode
    except subprocess.TimeoutExpired as error:
        output, status = error.stdout or b"", None
    except OSError as error:
        raise ProtocolError(f"cannot start {program[0]}: {error.strerror}") from None
    answers, asked = {}, {case["id"] for _, _, case in cases}
    lines = output.split(b"\n")
    if status != 0:
        lines.pop()  # what a program that was ended left unfinished
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            answer = json.loads(line, parse_constant=no_json)
            wrong = None if well_formed(answer) else "is not an answer"
        except (ValueError, RecursionError):
            wrong = "is not JSON"
        if wrong is None and answer["id"] not in asked:
            wrong = "answers an id that was not asked"
        if wrong is None and answer["id"] in answers:
            wrong = "answers an id a second time"
        if wrong is not None:
            text = line[:120].decode("utf-8", "backslashreplace")
            raise ProtocolError(f"line {number} of the program's output {wrong}: {text}")
        answers[answer["id"]] = answer
    if status == 0:
        return answers, None
    if status is None:
        return answers, f"took more than {timeout:g} seconds and was ended"
    return answers, f"ended with status {status}" if status > 0 else f"was ended by signal {-status}"


def no_json(name):
    """Python reads NaN and Infinity; JSON has no such values."""
    raise ValueError(name)


def well_formed(answer):
    """Whether a line is an object with a text `id` and one of `ok` and `err`."""
    if not isinstance(answer, dict) or not isinstance(answer.get("id"), str) or ("ok" in answer) == ("err" in answer):
        return False
    return "ok" in answer or (isinstance(answer["err"], dict) and isinstance(answer["err"].get("kind"), str))


# ---- verdicts


class Verdict:
    """How one case went: `passed`, `failed`, or `skipped` for an operation that the program does not have."""

    def __init__(self, path, operation, case, answer, any_error):
        self.name, self.operation, self.case, self.answer = f"{path.parent.name}/{path.name}", operation, case, answer
        self.basis = case.get("basis", "text")
        if answer is not None and answer.get("err", {}).get("kind") == "unknown-op":
            self.outcome = "skipped"
        else:
            self.outcome = "passed" if answer is not None and passes(case, answer, any_error) else "failed"

    def story(self):
        return told(self.name, self.operation, self.case, self.answer)

    def line(self):
        answer = self.answer
        text = "no answer" if answer is None else answer.get("ended") or json.dumps(answer, ensure_ascii=False)[:300]
        return f"{self.name} {self.case['id']}: {text}"


def judge(program, cases, stories, any_error=False, timeout=None):
    """A verdict for each case and for each step of each story; a story ends at its first step that fails."""
    answers = ask(program, cases, timeout)
    verdicts = [Verdict(path, operation, case, answers.get(case["id"]), any_error) for path, operation, case in cases]
    open_stories = [(path, story, []) for path, story in stories]
    number = 0
    while open_stories:
        wave = []
        for path, story, before in open_stories:
            step = story["steps"][number]
            try:
                wave.append((path, step["op"], step_case(story, number, filled(step, before))))
            except KeyError as missing:
                case = step_case(story, number, step["in"])
                ended = {"id": case["id"], "ended": f"an earlier answer lacks {missing.args[0]}, which this step needs"}
                verdicts.append(Verdict(path, step["op"], case, ended, any_error))
                wave.append(None)
        answers = ask(program, [one for one in wave if one], timeout)
        rest = []
        for (path, story, before), one in zip(open_stories, wave):
            if one is None:
                continue
            verdicts.append(Verdict(*one, answers.get(one[2]["id"]), any_error))
            if verdicts[-1].outcome == "passed" and number + 1 < len(story["steps"]):
                rest.append((path, story, [*before, answers[one[2]["id"]].get("ok")]))
        open_stories, number = rest, number + 1
    return verdicts


def tap(verdicts, counted):
    """The verdicts as TAP 13: what does not count is a TODO, with the basis as its reason."""
    yield "TAP version 13"
    yield f"1..{len(verdicts)}"
    for number, one in enumerate(verdicts, 1):
        ok = "not ok" if one.outcome == "failed" else "ok"
        note = " # SKIP unknown-op" if one.outcome == "skipped" else ""
        if one.outcome == "failed" and one.basis not in counted:
            note = f" # TODO rests on a {one.basis} of ours"
        yield f"{ok} {number} - {one.case['id']}{note}"
        if one.outcome == "failed":
            yield from (f"# {line}" for line in one.story().splitlines())


def junit(verdicts, counted):
    """The verdicts as JUnit's XML: what does not count is skipped, with its story as the output."""

    def clean(text):  # XML 1.0 has no control characters and no surrogates
        return "".join(c if c in "\t\n" or " " <= c < "\ud800" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000" else "\ufffd" for c in text)

    files = collections.defaultdict(list)
    for one in verdicts:
        files[one.name].append(one)
    bad = [one for one in verdicts if one.outcome == "failed" and one.basis in counted]
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites tests="{len(verdicts)}" failures="{len(bad)}">'
    for name, ones in files.items():
        failed = sum(one.outcome == "failed" and one.basis in counted for one in ones)
        skipped = sum(one.outcome == "skipped" or (one.outcome == "failed" and one.basis not in counted) for one in ones)
        yield f'  <testsuite name={quoteattr(name)} tests="{len(ones)}" failures="{failed}" skipped="{skipped}">'
        for one in ones:
            head = f"    <testcase classname={quoteattr(name)} name={quoteattr(one.case['id'])}"
            story = escape(clean(one.story())) if one.outcome == "failed" else ""
            if one.outcome == "passed":
                yield f"{head}/>"
            elif one.outcome == "skipped":
                yield f'{head}><skipped message="unknown-op"/></testcase>'
            elif one.basis in counted:
                message = quoteattr(clean(visible(one.case.get("comment", one.case["id"]))))
                yield f"{head}><failure message={message}>{story}</failure></testcase>"
            else:
                yield f'{head}><skipped message="differs, which rests on a {one.basis} of ours"/><system-out>{story}</system-out></testcase>'
        yield "  </testsuite>"
    yield "</testsuites>"


# ---- the command


def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", metavar="PREFIX", default="", help="run only operations that begin so")
    options.add_argument("--any-error", action="store_true", help="take any error where one is expected")
    options.add_argument("--count", metavar="BASES", default="text", help=f"what counts as a failure: all, or of {', '.join(BASES)} (text)")
    options.add_argument("--explain", metavar="ID", help="tell one case in full, and how PROGRAM answers it")
    options.add_argument("--stories", metavar="N", type=int, default=20, help="tell so many failures in full, the others in a line (20)")
    options.add_argument("--timeout", metavar="S", type=float, help="end a run of the program after so many seconds")
    options.add_argument("--junit", metavar="FILE", help="write the verdicts as JUnit's XML, too")
    options.add_argument("--tap", action="store_true", help="print the verdicts as TAP instead")
    options.add_argument("program", metavar="PROGRAM", nargs="?", help="the program to test")
    options.add_argument("arguments", metavar="ARG", nargs=argparse.REMAINDER, help="its arguments")
    found = options.parse_args()
    found.count = BASES if found.count == "all" else tuple(found.count.split(","))
    if not set(found.count) <= set(BASES):
        options.error(f"--count takes all, or some of {', '.join(BASES)}")
    if found.program is None and found.explain is None:
        options.error("expected a program to test")
    return found


def explain(options):
    """Tells one case, or each step of one story, in full."""
    name = options.explain
    cases = [one for one in load("") if one[2]["id"] == name]
    stories = [one for one in load_stories("") if one[1]["id"] == name.split("/")[0]]
    if not cases and not stories:
        raise ProtocolError(f"there is no case {name}")
    if options.program:
        verdicts = judge([options.program, *options.arguments], cases, stories, options.any_error, options.timeout)
        for one in verdicts:
            print(told(one.name, one.operation, one.case, {} if one.outcome == "passed" else one.answer, True), end=f"\n  {one.outcome}\n")
        return 1 if any(one.outcome == "failed" for one in verdicts) else 0
    for path, operation, case in cases:
        print(told(f"{path.parent.name}/{path.name}", operation, case, {}, True))
    for path, story in stories:
        for number, step in enumerate(story["steps"]):
            print(told(f"{path.parent.name}/{path.name}", step["op"], step_case(story, number, step["in"]), {}, True))
            for to, origin in step.get("carry", {}).items():
                print(f"  carried   {to} of the input is {origin} of the answers before it")
    return 0


def report(verdicts, options):
    """Prints the failures that count, those that do not, and the counts."""
    failed = [one for one in verdicts if one.outcome == "failed"]
    counted = [one for one in failed if one.basis in options.count]
    others = [one for one in failed if one.basis not in options.count]
    for number, one in enumerate(counted):
        print(one.story() + "\n" if number < options.stories else one.line())
    if len(counted) > options.stories:
        print("(--stories N tells more of them, --explain ID one)")
    misnamed = sum("err" in one.case and "err" in (one.answer or {}) for one in counted)
    if misnamed:
        print(f"{misnamed} of these are errors of another kind than expected (--any-error takes every error)")
    if others:
        kinds = ", ".join(f"{sum(one.basis == basis for one in others)} {basis}" for basis in BASES if any(one.basis == basis for one in others))
        print(f"not counted, since the specification does not decide them: {len(others)} that differ ({kinds}; --count all counts them)")
        for one in others[: options.stories]:
            print(f"  {one.basis}: {one.line()}")
        if len(others) > options.stories:
            print(f"  and {len(others) - options.stories} more")
    passed, skipped = (sum(one.outcome == kind for one in verdicts) for kind in ("passed", "skipped"))
    print(f"{passed} passed, {len(counted)} failed, {skipped} skipped")


def main():
    options = arguments()
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        if options.explain:
            return explain(options)
        cases, stories = load(options.only), load_stories(options.only)
        if not cases and not stories:
            raise ProtocolError(f"no operation begins with {options.only}")
        verdicts = judge([options.program, *options.arguments], cases, stories, options.any_error, options.timeout)
    except ProtocolError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    if options.junit:
        pathlib.Path(options.junit).write_text("\n".join(junit(verdicts, options.count)) + "\n", encoding="utf-8")
    if options.tap:
        print("\n".join(tap(verdicts, options.count)))
    else:
        report(verdicts, options)
    failed = any(one.outcome == "failed" and one.basis in options.count for one in verdicts)
    return 1 if failed or not any(one.outcome == "passed" for one in verdicts) else 0


if __name__ == "__main__":
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 141  # as a shell tells the signal SIGPIPE
    sys.exit(status)
