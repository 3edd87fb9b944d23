package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"holdpoint/adapters/process"
	"holdpoint/core/engine"
	"holdpoint/failpoint"
	"holdpoint/store"
)

// stopWithin bounds how long each step of the end may take.
const stopWithin = 10 * time.Second

// App is the daemon: made by New, started once, stopped once. Steps that it started run on after it.
type App struct {
	cfg     Config
	log     *slog.Logger
	store   *store.Store
	engine  *engine.Engine
	runtime *process.Runtime
	metrics *metrics
	addr    net.Addr
	broken  chan error // the first thing after which the daemon must not go on
	closers []closer
}

// closer is one named step of the end.
type closer struct {
	name string
	stop func(context.Context) error
}

// New makes a daemon. It opens nothing.
func New(cfg Config, log *slog.Logger) *App {
	return &App{cfg: cfg, log: log, broken: make(chan error, 1)}
}

// fail ends the daemon: the first cause counts.
func (a *App) fail(err error) {
	select {
	case a.broken <- err:
	default:
	}
}

func (a *App) onStop(name string, stop func(context.Context) error) {
	a.closers = append(a.closers, closer{name, stop})
}

// Start opens the store, looks at what happened meanwhile, and opens the door last: whoever reaches the
// daemon reaches a state that is right. After an error everything that was opened is closed again.
func (a *App) Start(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Stop(context.WithoutCancel(ctx)))
		}
	}()
	db, err := store.Open(ctx, store.Options{Dir: a.cfg.DataDir, Logger: a.log, OnFailStop: a.fail})
	if err != nil {
		return err
	}
	a.onStop("store", func(context.Context) error { return db.Close() })
	a.store = store.Records(db)
	if a.runtime, err = a.steps(); err != nil {
		return err
	}
	a.metrics = newMetrics(a.store)
	a.engine = engine.New(engine.Options{
		Store: a.store, Runtime: process.Port{Runtime: a.runtime}, Files: process.Files{}, Policy: a.cfg.policy(),
		NewID: newIDs(), NewCode: newCode, NewSecret: rand.Text, Workdir: a.workdir, Logger: a.log, Observe: a.metrics.observe,
	})
	if err := a.operatorToken(ctx); err != nil {
		return err
	}
	if err := a.engine.Startup(ctx); err != nil {
		return fmt.Errorf("looking at what happened while no daemon ran: %w", err)
	}
	listener, err := listen(ctx, a.cfg.Listen)
	if err != nil {
		return err
	}
	a.addr = listener.Addr()
	a.loops(ctx)
	a.serveHTTP(ctx, listener)
	return nil
}

// loops starts the engine's loops. They are stopped after the door is shut and before the store is.
func (a *App) loops(ctx context.Context) {
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.engine.Run(run)
	}()
	a.onStop("loops", func(ctx context.Context) error {
		cancel()
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w; is another daemon running, or choose another address with --listen", addr, err)
	}
	return l, nil
}

// answerWithin is how long requests may take to end by themselves before their contexts do.
const answerWithin = 500 * time.Millisecond

func (a *App) serveHTTP(ctx context.Context, l net.Listener) {
	requests, cut := context.WithCancel(context.WithoutCancel(ctx))
	door, letGo := a.handler() //nolint:contextcheck // each request comes with its own
	srv := &http.Server{
		Handler:           door,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.fail(fmt.Errorf("serving %s: %w", l.Addr(), err))
		}
	}()
	a.onStop("http", func(ctx context.Context) error {
		letGo()
		defer cut()
		soon, cancel := context.WithTimeout(ctx, answerWithin)
		defer cancel()
		if srv.Shutdown(soon) == nil {
			return nil
		}
		cut() // pages that follow what happens, and whoever is slow
		if err := srv.Shutdown(ctx); err != nil {
			return errors.Join(err, srv.Close())
		}
		return nil
	})
}

// Stop ends what Start began, in reverse order, each step bounded. It can be called again.
func (a *App) Stop(ctx context.Context) error {
	var errs []error
	if err := failpoint.Hit("shutdownBegun"); err != nil {
		errs = append(errs, err)
	}
	for _, c := range slices.Backward(a.closers) {
		within, cancel := context.WithTimeout(ctx, stopWithin)
		if err := c.stop(within); err != nil {
			errs = append(errs, fmt.Errorf("stopping %s: %w", c.name, err))
		}
		cancel()
	}
	a.closers = nil
	return errors.Join(errs...)
}

// Run starts the daemon, calls ready, and ends it when the context does or something broke.
func (a *App) Run(ctx context.Context, ready func() error) error {
	if err := a.Start(ctx); err != nil {
		return err
	}
	err := ready()
	if err == nil {
		select {
		case <-ctx.Done():
		case err = <-a.broken:
			a.log.Error("the daemon ends itself; the next start reads what is on disk", slog.Any("error", err))
		}
	}
	return errors.Join(err, a.Stop(context.WithoutCancel(ctx)))
}

// steps makes the runtime over the data directory's steps/.
func (a *App) steps() (*process.Runtime, error) {
	dir, err := filepath.Abs(filepath.Join(a.cfg.DataDir, "steps"))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of steps: %w", err)
	}
	a.cfg.DataDir = filepath.Dir(dir)
	return process.New(dir, a.log, nil), nil
}

// workdir is where a task works whose plan names no directory.
func (a *App) workdir(task string) string { return filepath.Join(a.cfg.DataDir, "steps", task) }

// tokenFile is the operator's token in the data directory.
const tokenFile = "operator.token"

// operatorToken makes the operator's token where there is none, and sees that the store knows it.
func (a *App) operatorToken(ctx context.Context) error {
	path := filepath.Join(a.cfg.DataDir, tokenFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(rand.Text() + "\n")
		err = writeWhole(path, text)
	}
	if err != nil {
		return fmt.Errorf("the operator's token: %w", err)
	}
	secret := strings.TrimSpace(string(text))
	if len(secret) < 20 {
		return fmt.Errorf("%s holds no token: remove it, and the next start makes a new one", path)
	}
	return a.engine.FileToken(ctx, secret)
}

// writeWhole writes a file for its owner only, so that it is there whole or not at all.
func writeWhole(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// newIDs gives ids that sort by time, also within one millisecond.
func newIDs() func(string, time.Time) string {
	entropy := &ulid.LockedMonotonicReader{MonotonicReader: ulid.Monotonic(rand.Reader, 0)}
	return func(prefix string, now time.Time) string {
		return prefix + ulid.MustNew(ulid.Timestamp(now), entropy).String()
	}
}

// crockford is the alphabet of Crockford's base32: no I, L, O and U.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

func newCode() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails: see crypto/rand
	for i, c := range b {
		b[i] = crockford[c%32]
	}
	return string(b[:])
}
