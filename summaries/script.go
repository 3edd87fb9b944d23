package summaries

import (
	"maps"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// script is a writing system, as far as telling letters apart needs it.
type script uint8

const (
	common    script = iota // shared by scripts: digits, most marks, signs
	eastAsian               // Han, kana, Hangul, Bopomofo: normal beside any other
	latin
	mathLetters  // 𝗋 and the like: Common to Unicode, look-alikes to a reader
	firstUnnamed // the others get their numbers from here on
)

// scriptSpan is a range of code points of one script.
type scriptSpan struct {
	low, high rune
	script    script
}

// scriptSpans is the property Script as sorted spans: one binary search
// instead of one for each of the tables in unicode.Scripts.
var scriptSpans = sync.OnceValue(func() []scriptSpan {
	spans := []scriptSpan{{0x1D400, 0x1D7FF, mathLetters}}
	number := firstUnnamed
	for _, name := range slices.Sorted(maps.Keys(unicode.Scripts)) {
		s := number
		switch name {
		case "Common", "Inherited":
			continue
		case "Latin":
			s = latin
		case "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo":
			s = eastAsian
		default:
			number++
		}
		spans = appendSpans(spans, unicode.Scripts[name], s)
	}
	slices.SortFunc(spans, func(a, b scriptSpan) int { return int(a.low - b.low) })
	return spans
})

// appendSpans appends the ranges of one table. One with gaps between its code
// points is spread out.
func appendSpans(spans []scriptSpan, table *unicode.RangeTable, s script) []scriptSpan {
	add := func(low, high, stride rune) {
		if stride == 1 {
			spans = append(spans, scriptSpan{low, high, s})
			return
		}
		for r := low; r <= high; r += stride {
			spans = append(spans, scriptSpan{r, r, s})
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return spans
}

// scriptOf returns the script of r.
func scriptOf(r rune) script {
	if r < utf8.RuneSelf {
		if isASCIILetter(byte(r)) {
			return latin
		}
		return common
	}
	spans := scriptSpans()
	i, found := slices.BinarySearchFunc(spans, r, func(s scriptSpan, r rune) int {
		switch {
		case s.high < r:
			return -1
		case s.low > r:
			return 1
		}
		return 0
	})
	if !found {
		return common
	}
	return spans[i].script
}

// word is a stretch of letters that a reader takes for one.
type word struct {
	end  int    // offset behind it
	home script // its main script; common when it has no more than one
}

// isStray reports whether a letter of script s does not belong in the word.
func (w word) isStray(s script) bool {
	return w.home != common && s != common && s != eastAsian && s != w.home
}

// wordAt returns the word that starts at pos. East Asian letters end a word:
// those scripts put no spaces around foreign ones. What a reader cannot see
// does not end it, so no word falls apart by a zero-width space.
func wordAt(text string, pos int) word {
	var first script
	end := pos
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		s := scriptOf(r)
		if !inWord(r, s) {
			break
		}
		end += size
		switch {
		case s == common || !unicode.IsLetter(r) || s == first:
		case first == common:
			first = s
		default:
			return mixedWord(text, pos)
		}
	}
	return word{end: max(end, pos+1)}
}

// mixedWord returns the word at pos, known to have letters of several scripts.
// Its home is the script with most letters, Latin where it is among equals.
func mixedWord(text string, pos int) word {
	counts := map[script]int{}
	end := pos
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		s := scriptOf(r)
		if !inWord(r, s) {
			break
		}
		if s != common && unicode.IsLetter(r) {
			counts[s]++
		}
		end += size
	}
	return word{end: end, home: homeOf(counts)}
}

// homeOf picks the script with most letters; among equals Latin, then the
// first by name, so that a text is rendered alike each time.
func homeOf(counts map[script]int) script {
	home := latin
	for _, s := range slices.Sorted(maps.Keys(counts)) {
		if counts[s] > counts[home] {
			home = s
		}
	}
	return home
}

// inWord reports whether r, of script s, can stand within a word. The Hangul
// fillers are seen as little as a zero-width space, so they do not end it.
func inWord(r rune, s script) bool {
	switch {
	case r < utf8.RuneSelf:
		return isASCIILetter(byte(r)) || '0' <= r && r <= '9'
	case s == eastAsian:
		return isHidden(r)
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Cf,
		unicode.Other_Default_Ignorable_Code_Point)
}
