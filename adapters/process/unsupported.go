//go:build !linux && !darwin

package process

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
)

// Runtime refuses everything: see ErrUnsupported.
type Runtime struct{}

// New returns a runtime whose every method answers ErrUnsupported.
func New(string, *slog.Logger, []string) *Runtime { return &Runtime{} }

// Launch starts nothing.
func (*Runtime) Launch(context.Context, Spec) error {
	return fmt.Errorf("%w: %w", ErrNotStarted, ErrUnsupported)
}

// Void answers ErrUnsupported.
func (*Runtime) Void(string) (bool, error) { return false, ErrUnsupported }

// Look answers ErrUnsupported.
func (*Runtime) Look(string) (Sighting, error) { return Sighting{}, ErrUnsupported }

// Wait answers ErrUnsupported.
func (*Runtime) Wait(context.Context, string) (Sighting, error) { return Sighting{}, ErrUnsupported }

// Stop answers ErrUnsupported.
func (*Runtime) Stop(context.Context, string, string, bool) error { return ErrUnsupported }

// Size answers ErrUnsupported.
func (*Runtime) Size(string) (int64, error) { return 0, ErrUnsupported }

// OpenLog answers ErrUnsupported.
func (*Runtime) OpenLog(string) (io.ReadSeekCloser, error) { return nil, ErrUnsupported }

// Remove answers ErrUnsupported.
func (*Runtime) Remove(string) error { return ErrUnsupported }

// Supervise says why it does nothing, and returns 1.
func Supervise(string) int {
	fmt.Fprintln(os.Stderr, "supervisor:", ErrUnsupported)
	return 1
}
