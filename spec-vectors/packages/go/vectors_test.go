package vectors

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
)

func all(t *testing.T) []Case {
	cases, err := Cases(os.DirFS("../.."))
	if err != nil || len(cases) < 3000 {
		t.Fatal(err, len(cases))
	}
	return cases
}

// An implementation that knows words and letters, and neither character references nor Unicode.
func fingerprint(input Members) (Members, error) {
	words := strings.Join(strings.Fields(strings.ToLower(input["text"].(string))), " ")
	return Members{"hash": fmt.Sprintf("sha256-%x", sha256.Sum256([]byte(words)))}, nil
}

func TestAPartialImplementationLearnsWhatIsWrong(t *testing.T) {
	report := Check(all(t), map[string]Operation{"tct.fingerprint": fingerprint})
	if report.Passed < 15 || len(report.Differing) == 0 {
		t.Error(report.Passed, "pass")
	}
	story := ""
	for _, failure := range report.Failures {
		if failure.Case.ID == "tct-fingerprint-ampersand-name" {
			story = failure.String()
		}
	}
	for _, part := range []string{"  why       draft-01 test 4\n", `  input     {"text":"Hello \u0026amp; goodbye"}`, `  expected  {"hash":"sha256-da73536e`,
		`  found     {"hash":"sha256-`, "  rule      TCT-FP-2 (MUST, publisher): Step 1 decodes"} {
		if !strings.Contains(story, part) {
			t.Errorf("%q is not in\n%s", part, story)
		}
	}
}

func TestRightAnswersPassAndWrongOnesDoNot(t *testing.T) {
	cases := all(t)
	right, wrong, at := map[string]Operation{}, map[string]Operation{}, 0
	for n := range cases {
		one := cases[n]
		if one.Comment == "" || one.Basis == "" || (one.OK == nil) == (one.Err == nil) || len(one.Rules) == 0 {
			t.Errorf("%s is not whole", one.ID)
		}
		right[one.Op] = func(Members) (Members, error) {
			expected := cases[at]
			at++
			if expected.Err != nil {
				return nil, fmt.Errorf("wrapped: %w", Refused(expected.Err.Kind))
			}
			return expected.OK, nil
		}
		wrong[one.Op] = func(Members) (Members, error) { panic("not yet") }
	}
	if report := Check(cases, right); report.Passed != len(cases) {
		t.Errorf("%d of %d right answers pass", report.Passed, len(cases))
	}
	if report := Check(cases, wrong); report.Passed != 0 || len(report.Failures)+len(report.Differing) != len(cases) {
		t.Errorf("%d of what panics pass", report.Passed)
	}
	empty := func(Members) (Members, error) { return Members{}, nil }
	if report := Check(cases, map[string]Operation{"tct.fingerprint": empty}); report.Passed != 0 {
		t.Errorf("%d of the empty answers pass", report.Passed)
	}
}
