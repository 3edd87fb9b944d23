package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"holdpoint/inapp/api"
)

// The variables of the environment that commands read and the configuration does not know.
const (
	envServer  = "HOLDPOINT_SERVER"
	envToken   = "HOLDPOINT_TOKEN"
	envSession = "HOLDPOINT_SESSION"
)

// maxTokenFile bounds a token file, in bytes: a token is far shorter.
const maxTokenFile = 4 << 10

// client finds the daemon and the token, and speaks to neither.
func (g *Globals) client(s std) (*api.Client, Config, error) {
	cfg, err := g.load(s)
	if err != nil {
		return nil, cfg, err
	}
	token, err := g.token(s, cfg.DataDir)
	if err != nil {
		return nil, cfg, err
	}
	c, err := api.NewClient(g.server(s, cfg), token, nil)
	return c, cfg, err
}

// server is the daemon's address: flag, environment, else where the configuration lets it listen.
func (g *Globals) server(s std, cfg Config) string {
	if named := g.named(s); named != "" {
		return named
	}
	return "http://" + reachable(cfg.Listen)
}

// named is the address that flag or environment names, "" if they name none.
func (g *Globals) named(s std) string {
	if g.Server != "" {
		return g.Server
	}
	return s.getenv(envServer)
}

// reachable makes an address to listen on one to go to: all interfaces are reached on the loopback.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen // refused by the configuration
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	return net.JoinHostPort(host, port)
}

// token finds the token: --token-file, HOLDPOINT_TOKEN, else the operator's of the data directory. What
// runs inside an agent's session never falls back to that one: it would act with more than it was given.
func (g *Globals) token(s std, dataDir string) (string, error) {
	if g.TokenFile != "" {
		return readToken(g.TokenFile)
	}
	if t := strings.TrimSpace(s.getenv(envToken)); t != "" {
		return t, nil
	}
	if s.getenv(envSession) != "" {
		return "", errors.New("inside an agent's session (HOLDPOINT_SESSION is set) the operator's token is not taken: " +
			"set HOLDPOINT_TOKEN to the session's own, or name a file with --token-file")
	}
	path := filepath.Join(dataDir, tokenFile)
	t, err := readToken(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("no token: %s is not there; name the data directory with --data, or bring a token by HOLDPOINT_TOKEN or --token-file", path)
	}
	return t, err
}

func readToken(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("reading the token: %w", err)
	}
	if info.Size() > maxTokenFile {
		return "", fmt.Errorf("%s is too large to be a token file", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading the token: %w", err)
	}
	t := strings.TrimSpace(string(text))
	if t == "" || strings.ContainsAny(t, " \t\r\n") {
		return "", fmt.Errorf("%s holds no token: it has to be one word", path) // what it holds is not repeated
	}
	return t, nil
}
