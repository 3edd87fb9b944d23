#!/usr/bin/env bash
# Lists the packages whose tests know -update, which rewrites golden files.
set -euo pipefail

grep -rlE --include='*_test.go' 'flag\.Bool\("update"|"holdpoint/fixtures/golden"' . | xargs -n1 dirname | sort -u
