# The commands of this repository. `make` alone lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# One test binary may take this long; the whole of `make test` stays under five
# minutes on two cores.
TEST_TIMEOUT ?= 8m
# More flags for go test, as in: make test TEST_FLAGS='-run TestClaim -count=1'
TEST_FLAGS ?=
FUZZ_TIME ?= 5s
# A program built with the race detector else lingers for a second when it ends,
# and the kill tests end many.
export GORACE := atexit_sleep_ms=50
PLAN ?= fixtures/plans/site-cutover.yaml

LINTERS := bin/golangci-lint bin/staticcheck bin/govulncheck

.PHONY: help run build test lint bench fuzz golden clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

run: ## start the daemon with the sample plan (PLAN=...)
	go run ./cmd/bot serve --plan $(PLAN)

build: ## a static binary: bin/holdpoint
	CGO_ENABLED=0 go build -trimpath -o bin/holdpoint ./cmd/bot

# The second run takes the packages that have tests for the tag `failpoints`:
# they build the program with its failpoints and kill it there.
test: bin/noskip ## all tests under the race detector, then the kill tests
	tools/testdeps.sh
	go test -C tools -json -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) ./noskip | bin/noskip
	go test -race -json -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) ./... | bin/noskip
	packages=$$(tools/killtests.sh); \
	go test -race -json -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) -tags failpoints $$packages | bin/noskip

lint: $(LINTERS) ## gofmt, vet, tidy, golangci-lint, staticcheck, govulncheck
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not formatted (gofmt -w): $$unformatted"; exit 1; }
	go vet ./...
	go vet -tags failpoints ./...
	go mod tidy -diff
	bin/golangci-lint run ./...
	bin/staticcheck -tags failpoints ./...
	tools/vulncheck.sh bin/govulncheck ./...

bench: ## all benchmarks
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## each fuzz target for a few seconds (FUZZ_TIME=5s)
	tools/fuzz.sh $(FUZZ_TIME)

golden: ## rewrite the golden files; review the diff
	packages=$$(tools/goldentests.sh); go test $$packages -update

clean: ## remove what the commands above made
	rm -rf bin .artifacts

# The linters are built from the versions that tools/go.mod pins: the first time
# takes minutes, after that they are here.
$(LINTERS) &: tools/go.mod tools/go.sum
	go build -C tools -trimpath -o ../bin/ tool
	touch $(LINTERS)

bin/noskip: $(wildcard tools/noskip/*.go)
	go build -C tools -trimpath -o ../bin/noskip ./noskip
	touch bin/noskip
