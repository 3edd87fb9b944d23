package summaries

import "unicode"

// unseen are the code points that Unicode itself asks a renderer to ignore,
// and those that only change the look of another. Together with everything
// that unicode.IsPrint refuses they cover Default_Ignorable_Code_Point:
//
//   - IsPrint allows the categories L, M, N, P, S and the ASCII space. That
//     refuses Cc (controls), Cf (direction marks, zero-width and soft hyphens,
//     tags), Co, Cs, Cn and the odd spaces of Zs, Zl and Zp.
//   - Other_Default_Ignorable_Code_Point adds the Hangul fillers, U+034F,
//     U+17B4, U+17B5 and the reserved ranges; Variation_Selector its own.
//   - Me, the enclosing marks, draw signs around letters (keycaps, bans).
var unseen = []*unicode.RangeTable{
	unicode.Other_Default_Ignorable_Code_Point,
	unicode.Variation_Selector,
	unicode.Me,
}

// falseLook are printable code points that would mislead a reader. No property
// of Unicode lists them, so they stand here with the reason of each.
var falseLook = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0334, 0x0338, 1}, // overlays: a letter struck out or through
		{0x20D0, 0x20FF, 1}, // marks drawn over and around symbols
		{0x2329, 0x232A, 1}, // angle brackets that look like our escapes
		{0x231A, 0x231B, 1}, // watch, hourglass
		{0x23E9, 0x23FA, 1}, // play, pause, stop, clocks
		{0x2610, 0x2612, 1}, // ballot boxes
		{0x26A0, 0x26A0, 1}, // warning
		{0x26AA, 0x26AB, 1}, // circles
		{0x26D4, 0x26D4, 1}, // no entry
		{0x2705, 0x2705, 1}, // check mark
		{0x2713, 0x2718, 1}, // check marks and ballot crosses
		{0x274C, 0x274E, 2}, // crosses
		{0x2753, 0x2757, 1}, // question and exclamation signs
		{0x276C, 0x2771, 1}, // ornamental angle brackets
		{0x27E8, 0x27E9, 1}, // the marks of our escapes
		{0x2991, 0x2992, 1}, // angle brackets with dot
		{0x29FC, 0x29FD, 1}, // curved angle brackets
		{0x2B1B, 0x2B1C, 1}, // squares
		{0x2B24, 0x2B24, 1}, // large circle
		{0x2B55, 0x2B55, 1}, // hollow circle
		{0x3008, 0x3009, 1}, // East Asian angle brackets
	},
	R32: []unicode.Range32{
		{0x1F197, 0x1F197, 1}, // OK
		{0x1F3FB, 0x1F3FF, 1}, // skin tones, which join whatever is before
		{0x1F44D, 0x1F44E, 1}, // thumbs
		{0x1F510, 0x1F515, 1}, // locks and bells
		{0x1F518, 0x1F518, 1}, // radio button
		{0x1F532, 0x1F535, 1}, // buttons, red and blue circle
		{0x1F5F4, 0x1F5F9, 1}, // ballot marks
		{0x1F6A5, 0x1F6A9, 1}, // traffic lights, police light, flag
		{0x1F6AB, 0x1F6AB, 1}, // prohibited
		{0x1F6C7, 0x1F6C7, 1}, // prohibited
		{0x1F6D1, 0x1F6D1, 1}, // stop sign
		{0x1F7E0, 0x1F7EB, 1}, // coloured circles and squares
	},
}

// blanks are printable by category, but leave nothing on the screen.
var blanks = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x2800, 0x2800, 1}, // braille pattern without dots
		{0xFFFC, 0xFFFC, 1}, // stands for an object that is not there
	},
	R32: []unicode.Range32{
		{0x13441, 0x13442, 1}, // Egyptian blanks
		{0x16FE4, 0x16FE4, 1}, // Khitan filler
		{0x1D159, 0x1D159, 1}, // musical null notehead
	},
}

// directionMarks is the property Bidi_Control: what turns text around unseen.
var directionMarks = unicode.Bidi_Control

// rightToLeft are the scripts in use that run from right to left.
var rightToLeft = []*unicode.RangeTable{
	unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana,
	unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam,
	unicode.Hanifi_Rohingya, unicode.Mende_Kikakui, unicode.Yezidi,
}

// isHidden reports whether r is spelled out wherever it stands.
func isHidden(r rune) bool {
	if r < 0x7F {
		return r < ' '
	}
	return !unicode.IsPrint(r) || unicode.Is(falseLook, r) ||
		unicode.Is(blanks, r) || unicode.In(r, unseen...)
}

// isMark reports whether r is drawn on the letter before it. U+FF9E and U+FF9F
// are letters by category, but join the kana before them.
func isMark(r rune) bool {
	if r < 0x300 {
		return false
	}
	return unicode.In(r, unicode.Mn, unicode.Mc) || r == 0xFF9E || r == 0xFF9F
}

// isQuote reports whether r is one of the marks around a quotation.
func isQuote(r rune) bool { return r == '“' || r == '”' }
