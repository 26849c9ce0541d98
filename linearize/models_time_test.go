package linearize

var expiryRulings = []ruling{
	{"alive until its end", "register", Options{}, OK, `
		0..10  SET a PX 100 -> OK
		110..120 GET -> a`},
	{"seen after the latest end", "register", Options{}, Violated, `
		0..10  SET a PX 100 -> OK
		111..120 GET -> a`},
	{"gone at its earliest end", "register", Options{}, OK, `
		0..10  SET a PX 100 -> OK
		90..100 GET -> nil`},
	{"gone before its earliest end", "register", Options{}, Violated, `
		0..10  SET a PX 100 -> OK
		90..99 GET -> nil`},
	{"a slow clock", "register", drifting, OK, `
		0..0   SET a PX 90 -> OK
		100..100 GET -> a`},
	{"a clock slower than the bound", "register", drifting, Violated, `
		0..0   SET a PX 90 -> OK
		101..101 GET -> a`},
	{"a fast clock", "register", drifting, OK, `
		0..0   SET a PX 110 -> OK
		100..100 GET -> nil`},
	{"a clock faster than the bound", "register", drifting, Violated, `
		0..0   SET a PX 110 -> OK
		99..99 GET -> nil`},
	{"clocks apart", "register", skewed, OK, `
		0..0   SET a PX 100 -> OK
		95..95 GET -> nil
		200..200 SET b PX 100 -> OK
		305..305 GET -> b`},
	{"clocks too far apart", "register", skewed, Violated, `
		0..0   SET a PX 100 -> OK
		94..94 GET -> nil`},
	{"gone stays gone", "register", drifting, Violated, `
		0..0   SET a PX 110 -> OK
		100..100 GET -> nil
		101..101 GET -> a`},
	{"one moment of setting must fit all reads", "register", Options{}, Violated, `
		0..50  SET a PX 100 -> OK
		10..10 GET -> a
		120..120 GET -> a
		200..200 SET b -> OK`},
	{"one moment of setting fits one read", "register", Options{}, OK, `
		0..50  SET a PX 100 -> OK
		120..120 GET -> a
		200..200 SET b -> OK`},
	{"an end between reads", "register", Options{}, Violated, `
		0..50  SET a PX 100 -> OK
		130..130 GET -> a
		120..129 GET -> nil`},
	{"an end that was seen delays what follows", "register", Options{}, Violated, `
		20..20 SET a PX 100 -> OK
		50..200 GET -> nil
		60..70 SET b IFEQ a -> nil`},
	{"a deadline found alive bounds the next", "register", Options{}, Violated, `
		0..0    SET a PX 10 -> OK
		5..100  SET b IFEQ a PX 50 -> OK
		70..70  GET -> b`},
	{"a deadline found gone bounds the next", "register", Options{}, OK, `
		0..0    SET a PX 10 -> OK
		5..100  SETNX b -> 1
		200..200 GET -> b`},
	{"SET removes a deadline", "register", Options{}, OK, `
		0..0   SET a PX 10 -> OK
		5..5   SET b -> OK
		90..90 GET -> b`},
	{"SET KEEPTTL keeps a deadline", "register", Options{}, Violated, `
		0..0   SET a PX 10 -> OK
		5..5   SET b KEEPTTL -> OK
		90..90 GET -> b`},
	{"SET KEEPTTL without a deadline", "register", Options{}, OK, `
		0..0   SET b KEEPTTL -> OK
		90..90 GET -> b`},
	{"PEXPIRE sets a deadline", "register", Options{}, OK, `
		0..0   SET a -> OK
		10..10 PEXPIRE 20 -> 1
		25..25 GET -> a
		31..31 GET -> nil`},
	{"PEXPIRE moves a deadline", "register", Options{}, Violated, `
		0..0   SET a PX 1000 -> OK
		10..10 PEXPIRE 20 -> 1
		31..31 GET -> a`},
	{"PEXPIRE of nothing", "register", Options{}, OK, `
		0..0   PEXPIRE 20 -> 0
		1..1   SET a -> OK
		90..90 GET -> a`},
	{"PEXPIRE of 0 removes", "register", Options{}, OK, `
		0..0   SET a -> OK
		10..10 PEXPIRE 0 -> 1
		11..11 GET -> nil`},
	{"PERSIST removes a deadline", "register", Options{}, OK, `
		0..0   SET a PX 20 -> OK
		10..10 PERSIST -> 1
		11..11 PERSIST -> 0
		90..90 GET -> a`},
	{"PERSIST comes too late", "register", Options{}, Violated, `
		0..0   SET a PX 20 -> OK
		30..30 PERSIST -> 1`},
	{"an unknown SET PX may take effect late", "register", Options{}, OK, `
		0..    SET a PX 10 -> ?
		500..500 GET -> a
		600..600 GET -> nil`},
	{"an unknown SET PX, seen, ends", "register", Options{}, Violated, `
		0..    SET a PX 10 -> ?
		50..50 GET -> a
		70..70 GET -> a`},
	{"an unknown PEXPIRE explains a loss", "register", Options{}, OK, `
		0..0   SET a -> OK
		5..    PEXPIRE 10 -> ?
		50..50 GET -> nil`},
	{"an unknown PEXPIRE does not explain an early loss", "register", Options{}, Violated, `
		0..0   SET a -> OK
		5..    PEXPIRE 10 -> ?
		14..14 GET -> nil`},
	{"an unknown SETNX after an end", "register", Options{}, OK, `
		0..0   SET a PX 10 -> OK
		5..    SETNX b -> ?
		20..20 GET -> b`},
	{"an unknown DEL explains what an end would explain too late", "register", Options{}, OK, `
		0..0    SET a PX 100 -> OK
		5..     DEL -> ?
		10..200 GET -> nil
		20..30  SET b NX -> OK`},
	{"an unknown write of the same moves the end", "register", Options{}, OK, `
		0..0   SET a PX 50 -> OK
		20..   SET a PX 50 -> ?
		60..60 GET -> a`},
	{"an unseen unknown write ends a deadline that is kept", "register", Options{}, OK, `
		0..0   SET a PX 10 -> OK
		5..    SET b -> ?
		6..6   SET c KEEPTTL -> OK
		90..90 GET -> c`},
	{"an unseen unknown write with a lifetime explains nothing left", "register", Options{}, OK, `
		0..0   SET a -> OK
		5..    SET b PX 10 -> ?
		90..90 GET -> nil`},
	{"an unknown SETNX before an end", "register", Options{}, Violated, `
		0..0   SET a PX 10 -> OK
		5..    SETNX b -> ?
		8..8   GET -> b`},
}

// twice has two failovers.
const twice = `
		0..1   SET a -> OK
		2..3   SET b -> OK
		10..11 FAILOVER
		12..13 SET c -> OK
		20..21 FAILOVER`

var markRulings = []ruling{
	{"a restart without data loses it", "register", wiping, OK, `
		0..10  SET a -> OK
		20..30 WIPE
		40..50 GET -> nil`},
	{"a restart loses nothing when data should survive", "register", losing, Violated, `
		0..10  SET a -> OK
		20..30 WIPE
		40..50 GET -> nil`},
	{"a slot that changes hands may lose it, or not", "register", wiping, OK, `
		0..10  SET a -> OK
		20..30 LOSS
		40..50 GET -> nil
		60..65 SET b -> OK
		70..75 LOSS
		80..90 GET -> b`},
	{"a restart need not concern the key's node", "register", wiping, OK, `
		0..10  SET a -> OK
		20..30 WIPE
		40..50 GET -> a`},
	{"a restart of another key's node", "register", wiping, Violated, `
		0..10  SET a -> OK
		20..30 WIPE other
		40..50 GET -> nil`},
	{"what a restart lost stays lost", "register", wiping, Violated, `
		0..10  SET a -> OK
		20..30 WIPE
		40..50 GET -> nil
		60..70 GET -> a`},
	{"lost before the restart", "register", wiping, Violated, `
		0..10  SET a -> OK
		15..18 GET -> nil
		20..30 WIPE
		40..50 GET -> nil`},
	{"a restart does not bring back old values", "register", wiping, Violated, `
		0..10  SET a -> OK
		11..12 SET b -> OK
		20..30 WIPE
		40..50 GET -> a`},
	{"a counter restarts", "counter", wiping, OK, `
		0..10  INCRBY 3 -> 3
		20..30 WIPE
		40..50 INCRBY 1 -> 1`},
	{"a failover loses the latest write", "register", losing, OK, `
		0..10  SET a -> OK
		11..12 SET b -> OK
		20..30 FAILOVER
		40..50 GET -> a`},
	{"a failover loses all writes", "register", losing, OK, `
		0..10  SET a -> OK
		11..12 SET b -> OK
		20..30 FAILOVER
		40..50 GET -> nil`},
	{"a failover loses nothing in sync mode", "register", wiping, Violated, `
		0..10  SET a -> OK
		11..12 SET b -> OK
		20..30 FAILOVER
		40..50 GET -> a`},
	{"a failover picks one state", "register", losing, Violated, `
		0..10  SET a -> OK
		11..12 SET b -> OK
		20..30 FAILOVER
		40..50 GET -> a
		60..70 GET -> b`},
	{"a failover invents nothing", "register", losing, Violated, `
		0..10  SET a -> OK
		20..30 FAILOVER
		40..50 GET -> c`},
	{"a failover loses no write that came after it", "register", losing, Violated, `
		0..10  SET a -> OK
		20..30 FAILOVER
		31..35 SET b -> OK
		40..50 GET -> a`},
	{"a failover does not reach behind the one before", "register", losing, Violated, `
		0..10  SET a -> OK
		11..12 SET b -> OK
		20..30 FAILOVER
		31..35 GET -> b
		40..50 FAILOVER
		60..70 GET -> a`},
	{"what a failover undid is not seen before it", "register", losing, Violated, `
		0..10  SET a -> OK
		11..12 SET b -> OK
		13..14 GET -> a
		20..30 FAILOVER`},
	{"a counter falls back", "counter", losing, OK, `
		0..10  INCRBY 1 -> 1
		11..12 INCRBY 1 -> 2
		13..14 INCRBY 1 -> 3
		20..30 FAILOVER
		40..50 INCRBY 1 -> 3`},
	{"a counter falls back to what it never was", "counter", losing, Violated, `
		0..10  INCRBY 2 -> 2
		11..12 INCRBY 2 -> 4
		20..30 FAILOVER
		40..50 INCRBY 1 -> 4`},
	{"a value that comes back keeps its deadline", "register", losing, Violated, `
		0..0   SET a PX 50 -> OK
		11..12 SET b -> OK
		20..30 FAILOVER
		60..60 GET -> a`},
	{"a removal is undone", "register", losing, OK, `
		0..10  SET a -> OK
		11..12 DEL -> 1
		20..30 FAILOVER
		40..50 GET -> a`},
	{"the second failover brings back what the first kept, a", "register", losing, OK, twice + `
		30..31 GET -> a`},
	{"the second failover brings back what the first kept, b", "register", losing, OK, twice + `
		30..31 GET -> b`},
	{"the second failover brings back what the first kept, nothing", "register", losing, OK, twice + `
		30..31 GET -> nil`},
	{"what a failover lost, the next does not bring back", "register", Options{Clock: Clock{Drift: 500_000}, LostWrites: true}, Violated, `
		0..0    SET a PX 100 -> OK
		1..2    FAILOVER
		10..200 GET -> nil
		20..30  GET -> nil
		40..150 FAILOVER
		151..155 GET -> a`},
	{"a crash alone explains nothing", "register", Options{Wipes: true, LostWrites: true}, Violated, `
		0..10  SET a -> OK
		20..30 CRASH
		40..50 GET -> nil`},
}
