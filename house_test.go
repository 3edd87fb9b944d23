package holdpoint_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// pure is the part of the standard library that neither waits, nor reads a
// clock by itself, nor touches anything outside the process. (`time` is here
// for its types; a test beside this one bans time.Now from core.)
const pure = `bytes cmp crypto/sha256 encoding encoding/base32 encoding/base64
	encoding/hex encoding/json errors fmt hash iter maps math math/bits path regexp slices sort
	strconv strings time unicode unicode/utf16 unicode/utf8`

// room says what the code (not the tests) of a folder may import.
type room struct {
	folder  string // relative to the root; a trailing /... takes what lies below
	std     string // packages of the standard library; "*" for all
	modules string // import paths of other modules, each with what lies below it; "*" for all
	house   string // folders of this module
	why     string
}

// rooms is docs/design.md's drawing, the most particular folder first: the
// first room that matches a package is its own.
var rooms = []room{
	{".", "", "", "", "the root holds tests only"},
	{"core/engine", pure + " context crypto/subtle io sync sync/atomic log/slog", "github.com/robfig/cron/v3", "core failpoint",
		"the engine reaches disk, processes and people only through the interfaces that it declares"},
	{"core/...", pure, "github.com/robfig/cron/v3", "core",
		"the rules are functions of record, command and time: no I/O, no clock, no goroutine"},
	{"summaries/...", pure + " html html/template sync", "github.com/rivo/uniseg", "core summaries",
		"words are made from the state alone, so that every surface shows the same"},
	{"planfile/...", pure + " io reflect", "github.com/goccy/go-yaml", "core",
		"reading a file is the caller's; here bytes become values"},
	{"failpoint", "*", "", "", "every other package may import it"},
	{"store/...", "*", "go.etcd.io/bbolt github.com/oklog/ulid/v2 golang.org/x/sys", "core core/engine failpoint store",
		"the store knows records, not surfaces or runtimes"},
	{"adapters/...", "*", "*", "core core/engine summaries failpoint",
		"an adapter knows neither another adapter nor the store"},
	{"inapp/api", "*", "*", "core core/engine summaries planfile failpoint",
		"the page stands on the API, not the other way round"},
	{"inapp/...", "*", "*", "core core/engine summaries planfile failpoint inapp inapp/api",
		"the page is a surface like the others"},
	{"cmd/bot/...", "*", "*", "*", "the composition root"},
	{"fixtures/...", "*", "*", "*", "only tests import it"},
}

// homes are the modules that one folder alone may know, whatever its room
// allows.
var homes = map[string]string{
	"go.etcd.io/bbolt":          "store",
	"github.com/goccy/go-yaml":  "planfile",
	"github.com/robfig/cron/v3": "core",
}

func TestImportsRunOneWay(t *testing.T) {
	for _, pkg := range packages(t) {
		own, found := roomOf(pkg.folder())
		if !found {
			t.Errorf("%s has no room: name it in house_test.go and in docs/design.md, or put the code elsewhere", pkg.folder())
			continue
		}
		for _, imported := range pkg.Imports {
			if !own.allows(imported) {
				t.Errorf("%s imports %s; it may not: %s", pkg.folder(), imported, own.why)
			}
		}
	}
}

func TestFixturesAreForTests(t *testing.T) {
	for _, pkg := range packages(t) {
		for _, imported := range pkg.Imports {
			if inFolder("fixtures", houseFolder(imported)) && !inFolder("fixtures", pkg.folder()) {
				t.Errorf("%s imports %s outside its tests", pkg.folder(), imported)
			}
		}
	}
}

func TestModulesHaveAHome(t *testing.T) {
	for _, pkg := range packages(t) {
		for _, imported := range pkg.Imports {
			for module, home := range homes {
				if inFolder(module, imported) && !inFolder(home, pkg.folder()) && !inFolder("fixtures", pkg.folder()) {
					t.Errorf("%s imports %s, which only %s may know", pkg.folder(), imported, home)
				}
			}
		}
	}
}

func TestEachPackageSaysWhatLivesThere(t *testing.T) {
	for _, pkg := range packages(t) {
		if !slices.Contains(pkg.GoFiles, "doc.go") {
			t.Errorf("%s has no doc.go", pkg.folder())
		}
		if pkg.Doc == "" {
			t.Errorf("%s has no package comment: say what lives there and what may not", pkg.folder())
		}
	}
}

// TestRoomsRefuse keeps the rules above from going soft: each line is an
// import that must be refused.
func TestRoomsRefuse(t *testing.T) {
	for _, tc := range []struct{ folder, imported string }{
		{"core", "os"},
		{"core", "context"},
		{"core", "math/rand"},
		{"core", "holdpoint/core/engine"},
		{"core", "go.etcd.io/bbolt"},
		{"core/engine", "os"},
		{"core/engine", "net/http"},
		{"core/engine", "holdpoint/store"},
		{"summaries", "io"},
		{"summaries", "holdpoint/core/engine"},
		{"planfile", "os"},
		{"failpoint", "holdpoint/core"},
		{"store", "holdpoint/adapters/process"},
		{"adapters/slack", "holdpoint/adapters/telegram"},
		{"adapters/process", "holdpoint/store"},
		{"inapp", "holdpoint/store"},
		{"inapp/api", "holdpoint/inapp"},
		{".", "fmt"},
	} {
		own, found := roomOf(tc.folder)
		if !found || own.allows(tc.imported) {
			t.Errorf("%s may import %s, want it refused", tc.folder, tc.imported)
		}
	}
	if own, found := roomOf("somewhere"); found {
		t.Errorf("a folder that nobody drew has the room %q", own.folder)
	}
}

func (r room) allows(imported string) bool {
	switch folder := houseFolder(imported); {
	case folder != "":
		return r.house == "*" || slices.Contains(strings.Fields(r.house), folder)
	case strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
		return r.modules == "*" || slices.ContainsFunc(strings.Fields(r.modules), func(module string) bool {
			return inFolder(module, imported)
		})
	default:
		return r.std == "*" || slices.Contains(strings.Fields(r.std), imported)
	}
}

func roomOf(folder string) (room, bool) {
	i := slices.IndexFunc(rooms, func(r room) bool {
		above, open := strings.CutSuffix(r.folder, "/...")
		return folder == above || open && inFolder(above, folder)
	})
	if i < 0 {
		return room{}, false
	}
	return rooms[i], true
}

// houseFolder is the folder of a package of this module, "" for all others.
func houseFolder(importPath string) string {
	if importPath == "holdpoint" {
		return "."
	}
	folder, ours := strings.CutPrefix(importPath, "holdpoint/")
	if !ours {
		return ""
	}
	return folder
}

func inFolder(above, below string) bool {
	return below == above || strings.HasPrefix(below, above+"/")
}

// listed is what `go list -json` tells of a package.
type listed struct {
	ImportPath string
	Doc        string
	GoFiles    []string
	Imports    []string
}

func (l listed) folder() string { return path.Clean(houseFolder(l.ImportPath)) }

// packages lists the module's packages. A package that does not compile is
// listed all the same; the compiler tells of it in better words.
func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-e",
		"-json=ImportPath,Doc,GoFiles,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg listed
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("go list printed no JSON: %v", err)
		}
		all = append(all, pkg)
	}
	if len(all) < 2 {
		t.Fatalf("go list found %d packages: is this test run at the root?", len(all))
	}
	return all
}
