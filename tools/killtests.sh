#!/usr/bin/env bash
# Lists the packages that have tests for the build tag `failpoints`.
set -euo pipefail

grep -rlE --include='*_test.go' '^//go:build .*failpoints' . | xargs -n1 dirname | sort -u
