package holdpoint_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"holdpoint/failpoint"
)

// maxLines is the house's limit for a file of code: one that needs more is two
// ideas.
const maxLines = 400

func TestFilesStayShort(t *testing.T) {
	for _, file := range goFiles(t) {
		if strings.HasSuffix(file.path, "_test.go") || ast.IsGenerated(file.tree) {
			continue
		}
		if lines := bytes.Count(file.text, []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines, want at most %d: it is two ideas", file.path, lines, maxLines)
		}
	}
}

func TestCoreReadsNoClockAndStartsNothing(t *testing.T) {
	clock := []string{"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"}
	for _, file := range goFiles(t) {
		if !inFolder("core", file.folder()) || inFolder("core/engine", file.folder()) || file.isTest() {
			continue
		}
		for _, name := range clock {
			for _, at := range file.uses("time", name) {
				t.Errorf("%s: time.%s in core: the time arrives as an argument", at, name)
			}
		}
		ast.Inspect(file.tree, func(n ast.Node) bool {
			if stmt, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s: core starts a goroutine", file.at(stmt))
			}
			return true
		})
	}
}

// In a synctest bubble a sleep takes no time and is how the clock is moved, so
// files that use one may call it.
func TestNobodySleeps(t *testing.T) {
	for _, file := range goFiles(t) {
		bubble := (file.isTest() || inFolder("fixtures/world", file.folder())) && file.imports("testing/synctest")
		if bubble || inFolder("failpoint", file.folder()) {
			continue
		}
		for _, at := range file.uses("time", "Sleep") {
			t.Errorf("%s: time.Sleep: wait for what you wait for, or use a timer that a context can end", at)
		}
	}
}

func TestFailpointsAndHitsAgree(t *testing.T) {
	hits := map[string]string{}
	for _, file := range goFiles(t) {
		if file.isTest() || inFolder("failpoint", file.folder()) {
			continue
		}
		// A package may have a function of its own around failpoint.Hit, which
		// by the house's habit is called hit.
		calls := append(file.calls("failpoint", "Hit"), file.calls("", "hit")...)
		for _, call := range calls {
			switch arg := call.Args[0].(type) {
			case *ast.BasicLit:
				name, _ := strconv.Unquote(arg.Value)
				hits[name] = file.at(call)
			default:
				if !file.within("hit", call) {
					t.Errorf("%s: a hit takes its name as a literal, so that it can be found", file.at(call))
				}
			}
		}
	}
	declared := failpoint.Names()
	for _, name := range declared {
		if hits[name] == "" {
			t.Errorf("failpoint %s is declared and hit nowhere", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(hits)) {
		if !slices.Contains(declared, name) {
			t.Errorf("%s: failpoint %s is not declared in failpoint/names.go", hits[name], name)
		}
	}
}

// Nobody outside can follow a path of the machine on which a line was written,
// nor does the project say where its modules are fetched from. The words are
// put together here so that this file does not hold them.
func TestNothingNamesAWorkplace(t *testing.T) {
	words := []string{
		"/work" + "/main", "/work" + "/shared", "/work" + "/.", "../" + "shared/", "/root" + "/",
		"proxy." + "golang", "sum." + "golang", "deb." + "debian", "registry." + "npmjs",
		"issues" + " show", "pre" + "amble.md",
	}
	for _, file := range textFiles(t) {
		for i, line := range bytes.Split(file.text, []byte("\n")) {
			for _, word := range words {
				if bytes.Contains(line, []byte(word)) {
					t.Errorf("%s:%d: names a workplace: %s", file.path, i+1, word)
				}
			}
		}
	}
}

// source is one file of the repository, its path relative to the root.
type source struct {
	path string
	text []byte
	set  *token.FileSet
	tree *ast.File // of Go files
}

func (s source) folder() string { return filepath.ToSlash(filepath.Dir(s.path)) }
func (s source) isTest() bool   { return strings.HasSuffix(s.path, "_test.go") }

func (s source) at(n ast.Node) string { return s.set.Position(n.Pos()).String() }

func (s source) imports(path string) bool {
	return slices.ContainsFunc(s.tree.Imports, func(spec *ast.ImportSpec) bool {
		return spec.Path.Value == strconv.Quote(path)
	})
}

// uses finds pkg.name, under the package's own name.
func (s source) uses(pkg, name string) []string {
	var found []string
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if isSelector(n, pkg, name) {
			found = append(found, s.at(n))
		}
		return true
	})
	return found
}

// calls finds pkg.name(...), or with an empty pkg name(...).
func (s source) calls(pkg, name string) []*ast.CallExpr {
	var found []*ast.CallExpr
	ast.Inspect(s.tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		id, plain := call.Fun.(*ast.Ident)
		if pkg == "" && plain && id.Name == name || pkg != "" && isSelector(call.Fun, pkg, name) {
			found = append(found, call)
		}
		return true
	})
	return found
}

// within tells whether a node stands inside the function of that name.
func (s source) within(function string, n ast.Node) bool {
	return slices.ContainsFunc(s.tree.Decls, func(decl ast.Decl) bool {
		f, ok := decl.(*ast.FuncDecl)
		return ok && f.Name.Name == function && f.Pos() <= n.Pos() && n.End() <= f.End()
	})
}

func isSelector(n ast.Node, pkg, name string) bool {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	id, ok := selector.X.(*ast.Ident)
	return ok && id.Name == pkg
}

func goFiles(t *testing.T) []source {
	t.Helper()
	var files []source
	for _, file := range textFiles(t) {
		if filepath.Ext(file.path) != ".go" {
			continue
		}
		file.set = token.NewFileSet()
		tree, err := parser.ParseFile(file.set, file.path, file.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("parse: %v", err)
			continue
		}
		file.tree = tree
		files = append(files, file)
	}
	if len(files) == 0 {
		t.Fatal("no Go file found: is this test run at the root?")
	}
	return files
}

// textFiles are the files that people read, without what .gitignore leaves out.
func textFiles(t *testing.T) []source {
	t.Helper()
	skipped := []string{".git", "bin", "holdpoint-data", ".artifacts", "node_modules"}
	var files []source
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skipped, entry.Name()):
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && !bytes.Contains(text, []byte{0}) {
			files = append(files, source{path: path, text: text})
		}
		return err
	})
	if err != nil {
		t.Fatalf("walk: %v", err)
	}
	return files
}
