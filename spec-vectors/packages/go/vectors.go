// Package vectors runs the test vectors of the AI-readable web's protocols against functions of your own:
//
//	cases, err := vectors.Cases(os.DirFS("spec-vectors"))
//	report := vectors.Check(cases, map[string]vectors.Operation{"tct.fingerprint": fingerprint})
//	for _, failure := range report.Failures {
//		fmt.Println(failure)
//	}
package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Members are an operation's input or answer, as encoding/json decodes them. Names that end in "_b64" hold bytes.
type Members = map[string]any

// Operation answers an input, or fails; Refused names the kind of the error.
type Operation func(input Members) (Members, error)

// Refused is the error of an operation that ends with an error of this kind.
type Refused string

func (kind Refused) Error() string { return "an error of kind " + string(kind) }

// Case is one vector. Just one of OK and Err is set.
type Case struct {
	ID           string
	Set          string // folder and file, such as "tct/fingerprint"
	Op           string
	Basis        string // "text", "reading", "limit" or "errata"
	Requirements []string
	Comment      string
	In, OK       Members
	Err          *struct{ Kind string }
	Rules        []string `json:"-"` // each requirement's own sentence, with its ID, level and document
}

// Failure is a case whose answer is not the expected one. It prints the whole story.
type Failure struct {
	Case  Case
	Found Members
	Err   error
}

// Report is what Check found. Failures have the basis "text"; what is in Differing is not decided by the specification.
type Report struct {
	Passed              int
	Failures, Differing []Failure
}

// Check runs each operation over all of its cases. A panic of an operation is the failure of that case.
func Check(cases []Case, operations map[string]Operation) (report Report) {
	for _, one := range cases {
		operation, has := operations[one.Op]
		if !has {
			continue
		}
		found, err := answer(operation, one.In)
		if passes(one, found, err) {
			report.Passed++
		} else if failure := (Failure{one, found, err}); one.Basis == "text" {
			report.Failures = append(report.Failures, failure)
		} else {
			report.Differing = append(report.Differing, failure)
		}
	}
	return report
}

// Cases reads all cases below the folder of the vectors, in the order of their files.
func Cases(data fs.FS) (cases []Case, err error) {
	paths, err := fs.Glob(data, "*/*.json")
	rules := map[string]string{}
	for _, path := range paths {
		folder, _, _ := strings.Cut(path, "/")
		var file struct {
			Spec, Op     string
			Cases        []Case
			Requirements []struct{ ID, Level, Role, Text, Section string }
		}
		if folder == "schema" || folder == "stories" {
			continue
		} else if text, err := fs.ReadFile(data, path); err != nil {
			return nil, err
		} else if err = json.Unmarshal(text, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, row := range file.Requirements {
			rules[row.ID] = fmt.Sprintf("%s (%s, %s): %s %s, %q", row.ID, row.Level, row.Role, row.Text, file.Spec, row.Section)
		}
		for _, one := range file.Cases {
			one.Set = strings.TrimSuffix(path, ".json")
			if one.Op == "" {
				one.Op = file.Op
			}
			cases = append(cases, one)
		}
	}
	for n := range cases {
		for _, id := range cases[n].Requirements {
			cases[n].Rules = append(cases[n].Rules, rules[id])
		}
	}
	return cases, err
}

func answer(operation Operation, input Members) (found Members, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			found, err = nil, fmt.Errorf("the operation panicked: %v", panicked)
		}
	}()
	return operation(input)
}

func passes(one Case, found Members, err error) bool {
	if one.Err != nil || err != nil {
		var kind Refused
		return one.Err != nil && errors.As(err, &kind) && string(kind) == one.Err.Kind
	}
	for name, expected := range one.OK {
		if given, has := found[name]; !has || text(given) != text(expected) {
			return false
		}
	}
	return true
}

func (failure Failure) String() string {
	one, expected, found := failure.Case, text(failure.Case.OK), text(failure.Found)
	if one.Err != nil {
		expected = Refused(one.Err.Kind).Error()
	}
	if failure.Err != nil {
		found = failure.Err.Error()
	}
	return fmt.Sprintf("%s  (%s.json, %s, basis %s)\n  why       %s\n  input     %s\n  expected  %s\n  found     %s\n  rule      %s",
		one.ID, one.Set, one.Op, one.Basis, one.Comment, text(one.In), expected, found, strings.Join(one.Rules, "\n  rule      "))
}

// text is a value as JSON in ASCII, so that what a terminal does not show stands as an escape.
func text(value any) string {
	encoded, _ := json.Marshal(value)
	quoted := fmt.Sprintf("%+q", encoded)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
}
