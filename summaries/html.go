package summaries

import "strings"

// htmlEscaper knows the signs with a meaning in mark-up, in text and in quoted
// attributes. Telegram reads these named entities and all numeric ones.
var htmlEscaper = strings.NewReplacer(
	"&", "&amp;",
	"<", "&lt;",
	">", "&gt;",
	`"`, "&quot;",
	"'", "&#39;",
)

// EscapeHTML returns s for a place in HTML text or in a quoted attribute,
// escaped once and in one pass. It makes mark-up inert and nothing more: s has
// been rendered by [Visible] or [Block] before, and cut, since an entity may
// not be cut and counts as the one sign that it stands for.
//
// Slack's mrkdwn is no HTML, and html/template escapes by itself.
func EscapeHTML(s string) string { return htmlEscaper.Replace(s) }
