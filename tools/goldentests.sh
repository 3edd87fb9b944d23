#!/usr/bin/env bash
# Lists the packages whose tests know -update, which rewrites golden files.
set -euo pipefail

tests=$(grep -rlE --include='*_test.go' 'flag\.Bool\("update"|"holdpoint/fixtures/golden"' . || true)
[ -n "$tests" ] || { echo "no test has golden files" >&2; exit 1; }
xargs -n1 dirname <<<"$tests" | sort -u
