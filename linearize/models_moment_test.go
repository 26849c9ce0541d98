package linearize

var momentRulings = []ruling{
	{"alive until the moment", "register", Options{}, OK, `
		0..10  SET a PXAT 100 -> OK
		100..105 GET -> a`},
	{"alive after the moment", "register", Options{}, Violated, `
		0..10  SET a PXAT 100 -> OK
		101..105 GET -> a`},
	{"gone before the moment", "register", Options{}, Violated, `
		0..10  SET a PXAT 100 -> OK
		90..99 GET -> nil`},
	{"gone before the moment, by a clock that is ahead", "register", skewed, OK, `
		0..10  SET a PXAT 100 -> OK
		90..95 GET -> nil`},
	{"a moment does not wait for the write", "register", Options{}, Violated, `
		0..100 SET a PXAT 50 -> OK
		101..102 GET -> a`},
	{"a moment that is past", "register", Options{}, OK, `
		90..95 SET a PXAT 50 -> OK
		96..97 GET -> nil
		98..99 SET b NX -> OK`},
	{"PEXPIREAT sets a moment", "register", Options{}, OK, `
		0..0   PEXPIREAT 9 -> 0
		1..1   SET a -> OK
		2..2   PEXPIREAT 20 -> 1
		15..15 GET -> a
		25..25 GET -> nil`},
	{"GETEX gives a lifetime", "register", Options{}, Violated, `
		0..0   SET a -> OK
		5..5   GETEX PX 20 -> a
		40..40 GET -> a`},
	{"GETEX gives a moment", "register", Options{}, Violated, `
		0..0   SET a -> OK
		5..5   GETEX PXAT 20 -> a
		40..40 GET -> a`},
	{"GETEX takes the deadline away", "register", Options{}, OK, `
		0..0   SET a PX 20 -> OK
		5..5   GETEX -> a
		40..40 GET -> a`},
	{"GETEX leaves the deadline", "register", Options{}, OK, `
		0..0   SET a PX 20 -> OK
		5..5   GETEX KEEPTTL -> a
		40..40 GETEX PX 5 -> nil`},
	{"PERSIST takes a moment away", "register", Options{}, OK, `
		0..0   SET a PXAT 20 -> OK
		5..5   PERSIST -> 1
		40..40 GET -> a`},
	{"a clock set forward ends a key sooner", "register", Options{}, OK, `
		0..0   SET a PX 100 -> OK
		10..10 CLOCK-JUMP 40
		60..60 GET -> nil`},
	{"a clock set forward does not end a key sooner than that", "register", Options{}, Violated, `
		0..0   SET a PX 100 -> OK
		10..10 CLOCK-JUMP 40
		59..59 GET -> nil`},
	{"a clock set forward ends a key for certain", "register", Options{}, Violated, `
		0..0   SET a PX 100 -> OK
		10..10 CLOCK-JUMP 40
		61..61 GET -> a`},
	{"a clock set back lets a key live", "register", Options{}, OK, `
		0..0   SET a PX 100 -> OK
		10..10 CLOCK-JUMP -40
		140..140 GET -> a`},
	{"a clock set back lets a key live no longer than that", "register", Options{}, Violated, `
		0..0   SET a PX 100 -> OK
		10..10 CLOCK-JUMP -40
		141..141 GET -> a`},
	{"a clock set back before the key was written", "register", Options{}, Violated, `
		0..0   CLOCK-JUMP -40
		10..10 SET a PX 100 -> OK
		111..111 GET -> a`},
	{"a clock set back, and a moment", "register", Options{}, OK, `
		0..0   CLOCK-JUMP -40
		10..10 SET a PXAT 100 -> OK
		140..140 GET -> a`},
	{"a clock set forward, and a moment that is thereby past", "register", Options{}, OK, `
		0..0   CLOCK-JUMP 95
		10..10 SET a PXAT 100 -> OK
		11..11 GET -> nil`},
	{"a clock set back after the end", "register", Options{}, OK, `
		0..0   SET a PX 100 -> OK
		120..120 CLOCK-JUMP -40
		130..130 GET -> nil`},
	{"a clock set back after an end that nobody saw", "register", Options{}, OK, `
		0..0   SET a PX 100 -> OK
		120..120 CLOCK-JUMP -40
		130..130 GET -> a`},
	{"a clock set back after an end that was seen", "register", Options{}, Violated, `
		0..0   SET a PX 100 -> OK
		110..110 GET -> nil
		120..120 CLOCK-JUMP -40
		130..130 GET -> a`},
	{"another key's clock", "register", Options{}, Violated, `
		0..0   SET a PX 100 -> OK
		10..10 CLOCK-JUMP 40 other
		60..60 GET -> nil`},
	{"a clock that jumps at some time", "register", Options{}, OK, `
		0..0   SET a PX 100 -> OK
		10..200 CLOCK-JUMP 40
		100..100 GET -> a
		101..101 GET -> nil`},
	{"a clock that goes forward and back", "register", Options{}, Violated, `
		0..0   SET a PX 100 -> OK
		10..10 CLOCK-JUMP 40
		20..20 CLOCK-JUMP -40
		99..99 GET -> nil`},
	{"a key without a deadline does not mind", "register", Options{}, Violated, `
		0..0   SET a -> OK
		10..10 CLOCK-JUMP 4000
		20..20 GET -> nil`},
}
