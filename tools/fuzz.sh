#!/usr/bin/env bash
# Runs each fuzz target of the module for the given time.
set -euo pipefail

time=${1:?how long each target runs, as in 5s}
found=0
for package in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...); do
	targets=$(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true)
	for target in $targets; do
		found=$((found + 1))
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
	done
done
echo "$found fuzz targets, $time each"
