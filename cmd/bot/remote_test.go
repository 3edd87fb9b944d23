package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhereTheTokenComesFrom(t *testing.T) {
	const (
		fromFlag = "token-of-the-named-file"
		fromEnv  = "token-of-the-variable"
		fromDir  = "token-of-the-data-directory"
	)
	for _, tc := range []struct {
		name               string
		flag, env, session bool
		noFile             bool
		want               string // "": refused
		words              string
	}{
		{name: "the data directory's file", want: fromDir},
		{name: "the variable before it", env: true, want: fromEnv},
		{name: "the named file before both", flag: true, env: true, want: fromFlag},
		{name: "the named file alone", flag: true, noFile: true, want: fromFlag},
		{name: "nothing", noFile: true, words: "--data"},
		{name: "in a session never the data directory's file", session: true, words: "HOLDPOINT_TOKEN"},
		{name: "in a session the variable", session: true, env: true, want: fromEnv},
		{name: "in a session the named file", session: true, flag: true, want: fromFlag},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			var g Globals
			var environ []string
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			if !tc.noFile {
				write(tokenFile, fromDir)
			}
			if tc.flag {
				g.TokenFile = write("mine", fromFlag)
			}
			if tc.env {
				environ = append(environ, "HOLDPOINT_TOKEN="+fromEnv)
			}
			if tc.session {
				environ = append(environ, "HOLDPOINT_SESSION=s_1")
			}
			got, err := g.token(std{environ: func() []string { return environ }}, dir)
			if got != tc.want || (err == nil) != (tc.want != "") {
				t.Fatalf("got %q, %v, want %q", got, err, tc.want)
			}
			if err != nil && !strings.Contains(err.Error(), tc.words) {
				t.Errorf("%q does not tell %q", err, tc.words)
			}
		})
	}
}

func TestTokenFilesThatHoldNone(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": " \n", "two words": "one secret-two", "two lines": "one\nsecret-two", "large": strings.Repeat("secret-two", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			token, err := readToken(path)
			if err == nil {
				t.Fatalf("got %q, want it refused", token)
			}
			if strings.Contains(err.Error(), "secret-two") {
				t.Errorf("%q tells what the file holds", err)
			}
		})
	}
}

func TestNoFlagTakesAToken(t *testing.T) {
	for _, path := range commands(t) {
		for _, flag := range path.flags {
			if flag == "token" || strings.HasSuffix(flag, "-token") || strings.Contains(flag, "secret") || strings.Contains(flag, "password") {
				t.Errorf("%s --%s: what stands on a command line is seen by everybody on the machine", path.name, flag)
			}
		}
	}
}

func TestWhereTheDaemonIs(t *testing.T) {
	for _, tc := range []struct{ name, flag, env, listen, want string }{
		{"where the configuration lets it listen", "", "", "127.0.0.1:8420", "http://127.0.0.1:8420"},
		{"on all interfaces: the loopback", "", "", "0.0.0.0:80", "http://127.0.0.1:80"},
		{"on all interfaces, without an address", "", "", ":80", "http://127.0.0.1:80"},
		{"on all interfaces of IPv6", "", "", "[::]:80", "http://[::1]:80"},
		{"by a name", "", "", "box:80", "http://box:80"},
		{"the variable before it", "", "http://e", "127.0.0.1:1", "http://e"},
		{"the flag before both", "http://f", "http://e", "127.0.0.1:1", "http://f"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := Globals{Server: tc.flag}
			got := g.server(std{environ: func() []string { return []string{"HOLDPOINT_SERVER=" + tc.env} }}, Config{Listen: tc.listen})
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
