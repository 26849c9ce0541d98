#!/usr/bin/env bash
# Runs everything that this project is tested by, from a clean clone, and ends
# with one line: 'N passed, N failed'.
#
#   ./test.sh            everything (under ten minutes on two cores)
#   ./test.sh --ci       with longer sweeps of the simulator (some minutes more)
#   ./test.sh unit race  these stages only
#   ./test.sh --list     the stages
#
# What it needs beside Go is installed with apt-get when it runs as root on
# Debian or Ubuntu; elsewhere it says what to install.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1

stages=(needs build format tidy vet unit race differ differ-race arm64 clients fuzz sim proc verify bench)
about_needs="the programs that the other stages call"
about_build="static binaries for every system that we name"
about_format="gofmt"
about_vet="go vet for Linux, macOS and arm64"
about_tidy="the house rules"
about_unit="unit, property and script tests"
about_race="the same under the race detector, where loops and threads meet"
about_sim="simulated clusters under faults, and those who judge them"
about_sweep="a hundred simulated clusters, and nodes that are wrong on purpose"
about_differ="every script and random streams against redis-server, 1 to 4 shards and the portable runtime"
about_differ_race="a shorter differential run against a server with the race detector"
about_arm64="tests of packages with assembly, as arm64 code in an emulator"
about_clients="client libraries: go-redis, ioredis, node-redis, redis-py, redis-cli"
about_proc="clusters of processes: redis-cli and go-redis use them, kill -9, a pause, restarts"
about_fuzz="every fuzz target, a thousand inputs"
about_verify="figures in the documents against claims and measurements"
about_bench="the benchmark, each row for a moment"

# As production is built, which saves building the standard library twice; the race
# detector alone wants cgo.
export CGO_ENABLED=0
# tests runs tests; a stage of its own vets them.
tests() { go test -vet=off -v "$@"; }

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# packages lists the packages of the given patterns, but for those that have a
# stage of their own.
packages() { go list "$@" | grep -v -e /chaos/ -e /cmd/tidy -e /research/verify; }

stage_needs() {
	local missing=()
	command -v redis-server >/dev/null || missing+=(redis-server)
	command -v qemu-aarch64 >/dev/null || missing+=(qemu-user)
	command -v cc >/dev/null || missing+=(gcc libc6-dev)
	command -v redis-benchmark >/dev/null || missing+=(redis-tools)
	command -v npm >/dev/null || missing+=(nodejs npm)
	/usr/bin/python3 -c 'import redis' 2>/dev/null || missing+=(python3-redis)
	((${#missing[@]})) || return 0
	if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
		echo "please install: ${missing[*]}"
		return 1
	fi
	# RUNLEVEL keeps packages from starting their services.
	export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
	apt-get -qq update && apt-get -qq install -y --no-install-recommends "${missing[@]}"
}

stage_build() {
	local target job status=0
	for target in linux/amd64 linux/arm64 darwin/arm64; do
		GOOS=${target%/*} GOARCH=${target#*/} go build -o "$logs/$target/ironcache" ./cmd/ironcache &
	done
	for job in $(jobs -p); do
		wait "$job" || status=1
	done
	return $status
}

stage_format() {
	local found
	found=$(git ls-files -z '*.go' | xargs -0 gofmt -l) || return 1
	[[ -z $found ]] || { echo "gofmt wants:" && echo "$found" && return 1; }
}

stage_vet() { go vet ./... && GOOS=darwin GOARCH=arm64 go vet ./... && GOARCH=arm64 go vet ./engine/... ./netio/...; }
stage_tidy() { tests ./cmd/tidy; }
stage_unit() { packages ./... | xargs go test -vet=off -v; }
stage_race() { packages ./sim ./engine/... ./netio/... ./raftlog ./raftlog/bus ./raftlog/store | CGO_ENABLED=1 xargs go test -vet=off -v -race -short; }
stage_sim() {
	local sim=$logs/sim/ironcache status=0
	tests ./chaos/wire ./chaos/fault ./chaos/workload ./chaos/plan ./chaos/judge ./chaos/mark ./chaos/play ./chaos/report ./chaos/sweep ./chaos/mutants || status=1
	go build -o "$sim" ./cmd/ironcache || return 1
	verdict "four seeds" "$sim" sim --seeds 4 --seconds 12 --out "$logs/sim/four"
	verdict "two of them in another process" "$sim" sim --seeds 2 --seconds 12 --jobs 1 --out "$logs/sim/two"
	verdict "traces are equal" "$sim" sim compare "$logs/sim/four" "$logs/sim/two"
	return $status
}
stage_sweep() {
	local sim=$logs/sweep/ironcache status=0
	go build -o "$sim" ./cmd/ironcache || return 1
	verdict "a hundred seeds" "$sim" sim --seeds 100 --out "$logs/sweep/all"
	verdict "some of them in another process" "$sim" sim --seeds 5 --jobs 1 --out "$logs/sweep/some"
	verdict "traces are equal" "$sim" sim compare "$logs/sweep/all" "$logs/sweep/some"
	IRONCACHE_RELEASE=1 tests -run TestReleaseSweeps ./cmd/ironcache || status=1
	verdict "a sweep tells of failures" "$sim" sim canary --seeds 24 --seconds 6 --nodes 1 --faults none --odds 150
	verdict "judges notice three mutants" "$sim" sim mutants --only getdel,again,bus-short --seeds 40 --out "$logs/sweep/mutants.json"
	return $status
}

# verdict runs a command that has to succeed, and notes in status if it does not.
verdict() { # name, command
	local name=$1
	shift
	if "$@"; then
		echo "--- PASS: $name"
	else
		echo "--- FAIL: $name"
		status=1
	fi
}
stage_differ() { tests -timeout 8m ./chaos/differ/...; }
stage_differ_race() { IRONCACHE_RACE=1 IRONCACHE_DIFFER_COMMANDS=6000 tests -short -timeout 8m ./chaos/differ/...; }
stage_verify() { tests ./research/verify && go run ./research/verify; }
stage_bench() { go run ./research/bench --quick; }
stage_proc() { tests -timeout 4m ./chaos/proc/...; }
stage_clients() { tests -timeout 8m ./chaos/clients/...; }

stage_arm64() {
	local dir status=0
	for dir in $(git ls-files '*_arm64.s' | xargs -n1 dirname | sort -u); do
		echo "== $dir"
		GOARCH=arm64 go test -vet=off -c -o "$logs/arm64.test" "./$dir" || { status=1 && continue; }
		# The emulator is slow and does not deliver signals in time to preempt.
		(cd "$dir" && GODEBUG=asyncpreemptoff=1 qemu-aarch64 "$logs/arm64.test" -test.v -test.short -test.timeout 4m) || status=1
	done
	return $status
}

stage_fuzz() {
	local package name status=0
	while read -r package; do
		go test -vet=off -c -fuzz . -o "$logs/fuzz.test" "./$package" || { status=1 && continue; }
		for name in $(grep -ohE '^func Fuzz[A-Za-z0-9_]+' "$package"/*_test.go | sed 's/func //'); do
			echo "== $name in $package"
			verdict "$name" env -C "$package" "$logs/fuzz.test" -test.run '^$' -test.fuzz "^$name\$" -test.fuzztime 1000x -test.fuzzminimizetime 10x -test.parallel 1 -test.fuzzcachedir "$logs/fuzz"
		done
	done < <(git ls-files -z '*_test.go' | xargs -0 grep -lE '^func Fuzz' | xargs -n1 dirname | sort -u)
	return $status
}

# tally adds what a stage's log says to the sums. A stage that prints no
# verdicts counts as one.
passed=0 failed=0
tally() { # log, exit status
	local good bad line
	good=$(grep -cE '^ *--- PASS' "$1")
	bad=$(grep -cE '^ *--- FAIL' "$1")
	while read -r line; do
		good=$((good + ${line%% *}))
		line=${line#*, }
		bad=$((bad + ${line%% *}))
	done < <(grep -oE '[0-9]+ passed, [0-9]+ failed' "$1")
	if (($2 != 0 && bad == 0)); then bad=1; fi
	if (($2 == 0 && good == 0)); then good=1; fi
	passed=$((passed + good)) failed=$((failed + bad))
	echo "$good passed, $bad failed"
}

# complaints shows what the tests that failed said, and whatever was said last
# outside of a test or by one that did not end.
complaints() {
	awk '
		/^=== (RUN|CONT|NAME|PAUSE) / { now = $3; next }
		/^ *--- (PASS|SKIP): / { delete said[$3]; next }
		/^ *--- FAIL: / { if (lines[$3] > 60) printf "   ...\n"; printf "%s%s\n", said[$3], $0; delete said[$3]; next }
		/^(PASS|ok  |\?   )/ { now = ""; next }
		{
			said[now] = said[now] $0 "\n"
			if (++lines[now] > 60) said[now] = substr(said[now], index(said[now], "\n") + 1)
		}
		END { for (name in said) if (name == now || name == "") printf "%s", said[name] }
	' "$1" | tail -300
}

# perform runs a stage and notes how it ended and how long it took.
perform() {
	local name=$1 start=$SECONDS
	"stage_${name//-/_}" >"$logs/$name.log" 2>&1
	echo "$? $((SECONDS - start))" >"$logs/$name.end"
}

# report prints what became of a stage.
report() {
	local name=$1 status took said
	read -r status took <"$logs/$name.end"
	said=$(tally "$logs/$name.log" "$status"; echo "$passed $failed" >"$logs/sums")
	read -r passed failed <"$logs/sums"
	printf '   %-12s %s, %d s\n' "$name" "$said" "$took"
	((status == 0)) && return
	complaints "$logs/$name.log"
	broken+=("$name")
}

# lane runs stages one after the other.
lane() {
	local name
	for name in "$@"; do perform "$name"; done
}

# Stages that run at the same time as those of other lanes, since each waits
# much of the time: for other processes, or for one long test.
lanes=("unit race sim" "differ arm64 proc bench" "vet differ-race clients fuzz")
begun=no

# begin starts the lanes, once.
begin() {
	local one
	[[ $begun == no ]] || return 0
	begun=yes
	for one in "${lanes[@]}"; do
		# shellcheck disable=SC2086 # names of stages
		lane $one &
	done
}

# await waits for the end of a stage that runs in a lane.
await() {
	until [[ -s $logs/$1.end ]]; do sleep 0.2; done
}

if [[ ${1:-} == --list ]]; then
	for name in "${stages[@]}" sweep; do
		about="about_${name//-/_}"
		printf '%-12s %s\n' "$name" "${!about}"
	done
	exit
fi
[[ ${1:-} != --ci ]] || { shift && stages+=(sweep); }
(($# == 0)) || stages=("$@")
broken=()
for name in "${stages[@]}"; do
	declare -F "stage_${name//-/_}" >/dev/null || { echo "no stage $name; --list tells them" && exit 2; }
	about="about_${name//-/_}"
	printf '== %-12s %s\n' "$name" "${!about}"
	if (($# == 0)) && [[ " ${lanes[*]} " == *" $name "* ]]; then
		begin
		await "$name"
	else
		perform "$name"
	fi
	report "$name"
done
echo
((${#broken[@]} == 0)) || echo "broken stages: ${broken[*]}"
echo "all of it took $SECONDS s"
echo "$passed passed, $failed failed"
((failed == 0 && ${#broken[@]} == 0))
