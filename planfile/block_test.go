package planfile_test

import (
	"testing"

	"holdpoint/planfile"
)

func TestBlockTextsAreWhatWasWritten(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"lines", "run: |\n  a\n  b\nx: y\n", "a\nb\n"},
		{"lines at the end of the file", "run: |\n  a\n  b", "a\nb\n"},
		{"stripped", "run: |-\n  a\n\n  b\n\n\nx: y\n", "a\n\nb"},
		{"kept", "run: |+\n  a\n\n\nx: y\n", "a\n\n\n"},
		{"empty", "run: |\nx: y\n", ""},
		{"empty at the end of the file", "run: |+\n", ""},
		{"empty lines first", "run: |\n\n\n  a\n", "\n\na\n"},
		{"blanks at the end of the last line", "run: |-\n  a: \n", "a: "},
		{"blanks at the end of the file", "run: |-\n  a  ", "a  "},
		{"tabs", "run: |\n  \ta\t\n", "\ta\t\n"},
		{"a line of blanks", "run: |-\n  a\n    \n", "a\n  "},
		{"further in", "run: |\n  if x; then\n    y\n  fi\n", "if x; then\n  y\nfi\n"},
		{"an indicator", "run: |1\n   a\n  b\n", "  a\n b\n"},
		{"an indicator and stripped", "run: |2-\n   a\n", " a"},
		{"a comment behind the sign", "run: | # note\n  a # no note\n", "a # no note\n"},
		{"a comment behind the text", "run: |\n  a\n# note\nx: y\n", "a\n"},
		{"windows line ends", "run: |\r\n  a\r\n  b\r\nx: y\r\n", "a\nb\n"},
		{"words that mean something elsewhere", "run: |\n  - a: [b\n  ---\n  &c *d !e %f @g `h\n  # i\n", "- a: [b\n---\n&c *d !e %f @g `h\n# i\n"},
		{"folded", "run: >\n  a\n  b\n\n  c\n\n\n  d\n", "a b\nc\n\nd\n"},
		{"folded and stripped", "run: >-\n  a\n  b\n\n", "a b"},
		{"folded, lines further in stay", "run: >\n  a\n   b\n   c\n\n  d\n  e\n", "a\n b\n c\n\nd e\n"},
		{"folded, empty lines first", "run: >\n\n  a\n", "\na\n"},
		{"in a list in a mapping", "x:\n- y: 1\n  z:\n  - a\nrun: |\n a\n", "a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got struct {
				Run string `json:"run"`
				X   any    `json:"x"`
			}
			if err := planfile.Decode([]byte(c.text), &got, planfile.Options{}); err != nil {
				t.Fatal(planfile.Format("", err))
			}
			if got.Run != c.want {
				t.Errorf("got %q, want %q", got.Run, c.want)
			}
		})
	}
}

func TestBlockTextsInCheckpoints(t *testing.T) {
	text := "checkpoints:\n- title: >-\n    a\n    b\n  run: |2\n      x\n    y\n- title: c\n  run:\n    - |-\n      z\n"
	in, err := planfile.ParseInput([]byte(text))
	if err != nil {
		t.Fatal(planfile.Format("", err))
	}
	a, c := in.Checkpoints[0], in.Checkpoints[1]
	if a.Title != "a b" || a.Run.Line != "  x\ny\n" || len(c.Run.Args) != 1 || c.Run.Args[0] != "z" {
		t.Errorf("got %+v and %+v", a, c)
	}
}
