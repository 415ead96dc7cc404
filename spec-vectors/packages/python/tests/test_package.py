"""The installed package: its data is whole, and its check notices what is wrong."""
import subprocess
import sys
import unicodedata
import unittest

import aiweb_vectors


class Package(unittest.TestCase):
    def test_the_data_is_whole(self):
        sets = dict(aiweb_vectors.sets())
        ids = [case.id for cases in sets.values() for case in cases]
        self.assertGreater(len(ids), 3000)
        self.assertEqual(len(ids), len(set(ids)))
        known = {row.id for row in aiweb_vectors.requirements()}
        named = {row for cases in sets.values() for case in cases for row in case.requirements}
        self.assertEqual({row for row in named - known if not row.startswith("RFC ")}, set())
        for case in aiweb_vectors.cases("tct.fingerprint"):
            self.assertEqual((case.ok is None) + (case.err is None), 1, case.id)
        described = {operation["op"] for operation in aiweb_vectors.operations()}
        self.assertEqual({case.op for cases in sets.values() for case in cases} - described, set())
        for case in (case for cases in sets.values() for case in cases):
            self.assertTrue(case.comment and case.spec, case.id)
            self.assertIn(case.basis, ("text", "reading", "limit", "errata"), case.id)

    def test_right_answers_pass_and_wrong_ones_do_not(self):
        expected = {(case.op, str(case.input)): case for case in aiweb_vectors.cases("tct.canonicalize")}

        def right(given):
            case = expected["tct.canonicalize", str(given)]
            if case.err:
                raise aiweb_vectors.Refused(case.err)
            return case.ok

        report = aiweb_vectors.check({"tct.canonicalize": right})
        self.assertEqual((report.passed, report.failures), (len(expected), []))

        def wrong(given):
            return {**right(given), "json_b64": 0}

        report = aiweb_vectors.check({"tct.canonicalize": wrong}, count=("text", "reading", "limit", "errata"))
        refused = sum(case.err is not None for case in expected.values())
        self.assertEqual((report.passed, len(report.failures)), (refused, len(expected) - refused))
        self.assertIn("expected", str(report.failures[0]))

    def test_a_simple_normaliser_fails_some(self):
        def normalize(given):
            return {"text": " ".join(unicodedata.normalize("NFKC", given["text"]).casefold().split())}

        report = aiweb_vectors.check({"tct.normalize": normalize})
        self.assertTrue(report.passed and report.failures)

    def test_an_exception_is_the_failure_of_its_case(self):
        def broken(given):
            if "&" in given["text"]:
                raise ValueError("no references here")
            return {"text": given["text"]} if given["text"] else None

        report = aiweb_vectors.check({"tct.normalize": broken})
        raised = [failure for failure in report.failures if isinstance(failure.exception, ValueError)]
        self.assertTrue(raised)
        self.assertRegex(str(raised[0]), r"found     an error of kind ValueError: raised ValueError\('no references here'\) at test_package.py:\d+")
        self.assertTrue(any("returned NoneType" in str(failure) for failure in report.failures + report.differing))

    def test_a_failure_tells_its_story(self):
        report = aiweb_vectors.check({"tct.normalize": lambda given: {"text": given["text"].lower()}})
        self.assertTrue(report.failures and report.differing)
        self.assertTrue(all(failure.case.basis != "text" for failure in report.differing))
        told = str(report.failures[0])
        for label in ("why", "input", "expected", "found", "differs   /text: at character", "rule", "where"):
            self.assertIn(f"\n  {label}", told)
        self.assertIn("TCT-FP-5 (MUST", aiweb_vectors.explain("tct-fingerprint-form-feed-joins-words"))
        with self.assertRaises(KeyError):
            aiweb_vectors.explain("no-such-case")

    def test_an_unknown_operation_is_said(self):
        with self.assertRaises(KeyError):
            aiweb_vectors.check({"tct.fly": lambda given: given})

    def test_the_runner_runs(self):
        echo = "import json,sys\nfor line in sys.stdin: print(json.dumps({'id': json.loads(line)['id'], 'err': {'kind': 'unknown-op'}}))"
        run = subprocess.run(
            [sys.executable, "-m", "aiweb_vectors.run", "--only", "tct.seal", sys.executable, "-c", echo],
            capture_output=True,
            text=True,
        )
        self.assertTrue(run.stdout.startswith("0 passed, 0 failed, "), run.stdout + run.stderr)
        self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    unittest.main()
