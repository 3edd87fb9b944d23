package planfile

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"holdpoint/core"
)

// Format writes an error of this package for a terminal: for each fault FILE:LINE:COLUMN: PATH:
// message, the line as it was written and a caret under the column. Other errors give their text
// behind the file's name. file may be empty. The result may hold whatever the text held: the caller
// makes it visible-safe before it prints.
func Format(file string, err error) string {
	if err == nil {
		return ""
	}
	refused, ok := errors.AsType[*core.Error](err)
	if !ok || len(refused.Fields) == 0 {
		return prefix(file) + err.Error() + "\n"
	}
	var b strings.Builder
	for _, f := range refused.Fields {
		formatFault(&b, file, f)
	}
	if strings.HasSuffix(refused.Msg, ")") { // how many more there are
		b.WriteString(prefix(file) + refused.Msg + "\n")
	}
	return b.String()
}

func prefix(file string) string {
	if file == "" {
		return ""
	}
	return file + ": "
}

func formatFault(b *strings.Builder, file string, f core.FieldError) {
	var head []string
	if file != "" {
		head = append(head, file)
	}
	if f.Line > 0 {
		head = append(head, fmt.Sprint(f.Line), fmt.Sprint(f.Column))
	}
	if len(head) > 0 {
		b.WriteString(strings.Join(head, ":") + ": ")
	}
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.Message + "\n")
	if f.Source == "" {
		return
	}
	b.WriteString("  " + f.Source + "\n")
	if pad, ok := padding(f.Source, f.Column); ok {
		b.WriteString("  " + pad + "^\n")
	}
}

// padding gives what puts a caret under a column: tabs stay tabs, so that it lands where they end.
// There is none when the line was cut before the column.
func padding(source string, column int) (string, bool) {
	if column < 1 || column > utf8.RuneCountInString(source)+1 {
		return "", false
	}
	pad := make([]rune, 0, column)
	for _, r := range source {
		if len(pad) == column-1 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		pad = append(pad, r)
	}
	return string(pad), true
}
