# The few commands that development needs. `make` lists them.
.PHONY: help run build test race fuzz sim sim-twice canary native release mutants bench tidy verify fmt clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: ## start a server on port 6379
	go run ./cmd/ironcache server

build: ## a static binary, bin/ironcache
	CGO_ENABLED=0 go build -trimpath -o bin/ironcache ./cmd/ironcache

release: ## the same with the node that "sim" runs in it: it needs no Go toolchain and no checkout
	go run ./cmd/ironcache sim node sim/wasm/node.wasm.gz
	go run ./cmd/ironcache sim node --later sim/wasm/later.wasm.gz
	CGO_ENABLED=0 go build -trimpath -tags release -o bin/ironcache ./cmd/ironcache

test: ## everything, as continuous integration does it
	./test.sh

race: ## tests under the race detector
	./test.sh race differ-race

fuzz: ## every fuzz target for a second
	./test.sh fuzz

sim: ## a hundred simulated clusters, with faults
	go run ./cmd/ironcache sim

SOAK = 5m
native: ## what the simulator cannot see: loops under the race detector, rings, wake-ups, killed processes
	go test -race -count 120 -timeout 30m -run TestMixedLoad ./netio
	go test -race -count 20 -timeout 30m -run 'TestRingCarriesInOrder|TestNoWakeUpIsLost|TestPostsAllRun|TestRaceDetectorSeesArenas' ./netio
	go test -count 20 -timeout 30m -run 'TestWakeBeforeWait|TestNoWakeIsLost' ./netio/host
	IRONCACHE_SOAK=$(SOAK) go test -v -count 1 -timeout 60m -run TestKillLoop ./chaos/proc

SEEDS = 500
sim-twice: ## 500 seeds in two processes, one and four at a time, and their traces compared
	dir=$$(mktemp -d); four=; \
	trap 'trap "" INT TERM; kill $$four 2>/dev/null; wait; rm -rf "$$dir"' EXIT; trap 'exit 130' INT TERM; \
	go build -o $$dir/ironcache ./cmd/ironcache || exit; \
	$$dir/ironcache sim --seeds $(SEEDS) --jobs 4 --out $$dir/four & four=$$!; \
	$$dir/ironcache sim --seeds $(SEEDS) --jobs 1 --out $$dir/one >/dev/null || exit; \
	wait $$four || exit; \
	four=; $$dir/ironcache sim compare $$dir/one $$dir/four

canary: ## a sweep with a node that fails about one seed in a hundred must tell so
	go run ./cmd/ironcache sim canary

mutants: ## clusters that are wrong on purpose, to show that judges notice
	go run ./cmd/ironcache sim mutants

bench: ## measure beside redis-server; the figures go to research/results/bench.json
	go run ./research/bench --json research/results/bench.json

tidy: ## the house rules
	go run ./cmd/tidy

verify: ## figures in the documents against claims and measurements
	go run ./research/verify

fmt: ## format Go and footnotes
	gofmt -w $$(git ls-files '*.go')
	go run ./research/verify --write

clean: ## remove what was built
	rm -rf bin sim/wasm/node.wasm.gz sim/wasm/later.wasm.gz
	go clean -testcache
