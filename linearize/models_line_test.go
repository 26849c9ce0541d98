package linearize

var lineRulings = []ruling{
	{"what was sent together takes effect in order", "register", Options{}, OK, `
		0..10 %1:0 SET a -> OK
		0..10 %1:1 SET b -> OK
		20..30 GET -> b`},
	{"what was sent together takes effect out of order", "register", Options{}, Violated, `
		0..10 %1:0 SET a -> OK
		0..10 %1:1 SET b -> OK
		20..30 GET -> a`},
	{"what was sent apart may take effect in any order", "register", Options{}, OK, `
		0..10 %1:0 SET a -> OK
		0..10 %2:0 SET b -> OK
		20..30 GET -> a`},
	{"a read in a line sees what the line wrote", "register", Options{}, Violated, `
		0..10 %1:0 SET a -> OK
		0..10 %1:1 GET -> nil`},
	{"another's write may come between", "register", Options{}, OK, `
		0..10 %1:0 SET a -> OK
		5..8  SET b -> OK
		0..10 %1:1 GET -> b`},
	{"the places decide, not the times", "register", Options{}, Violated, `
		5..10 %1:0 SET a -> OK
		0..4  %1:1 SET b -> OK
		20..30 GET -> a`},
	{"a line breaks off and a part of it took effect", "register", Options{}, OK, `
		0..10 %1:0 SET a -> OK
		0..   %1:1 SET b -> ?
		0..   %1:2 SET c -> ?
		20..30 GET -> b`},
	{"the end of a line that broke off took effect without what stands before it", "counter", Options{}, Violated, `
		0..10 %1:0 INCRBY 1 -> 1
		0..   %1:1 INCRBY 10 -> ?
		0..   %1:2 INCRBY 100 -> ?
		20..30 GET -> 101`},
	{"all of a line that broke off took effect", "counter", Options{}, OK, `
		0..10 %1:0 INCRBY 1 -> 1
		0..   %1:1 INCRBY 10 -> ?
		0..   %1:2 INCRBY 100 -> ?
		20..30 GET -> 111`},
	{"nothing unknown goes before what is known of its line", "counter", Options{}, Violated, `
		0..40 %1:0 INCRBY 1 -> 1
		0..   %1:1 INCRBY 10 -> ?
		20..30 GET -> 10`},
	{"the end of a line is late, and all of it in order", "register", Options{}, OK, `
		0..   %1:0 SET a -> ?
		0..   %1:1 SET b -> ?
		20..30 GET -> a
		40..50 SET c -> OK
		60..70 GET -> b`},
	{"an earlier place does not come after a later one", "register", Options{}, Violated, `
		0..   %1:0 SET a -> ?
		0..   %1:1 SET b -> ?
		20..30 GET -> b
		60..70 GET -> a`},
	{"twins in a line count twice", "counter", Options{}, OK, `
		0..   %1:0 INCRBY 1 -> ?
		0..   %1:1 INCRBY 1 -> ?
		20..30 GET -> 1
		60..70 GET -> 2`},
	{"a line over members is seen in its order", "family", Options{}, OK, `
		0..50 %1:0 BATCH set_data_1 -> OK
		0..50 %1:1 BATCH set_ready_1 -> OK
		0..50 %2:0 BATCH get_ready -> -
		0..50 %2:1 BATCH get_data -> 1`},
	{"an unseen write stands before one of its line that was seen", "family", Options{}, Violated, `
		0..10  BATCH set_a_1 -> OK
		20..   %1:0 BATCH set_a_2 -> ?
		20..   %1:1 BATCH set_b_3 -> ?
		30..40 BATCH get_b -> 3
		50..60 BATCH get_a -> 1`},
	{"an unseen write stands behind one of its line that was seen", "family", Options{}, OK, `
		0..10  BATCH set_a_1 -> OK
		20..   %1:0 BATCH set_b_3 -> ?
		20..   %1:1 BATCH set_a_2 -> ?
		30..40 BATCH get_b -> 3
		50..60 BATCH get_a -> 1`},
	{"an unseen write explains that a member is gone", "family", Options{}, OK, `
		0..    BATCH set_a_2 -> ?
		30..40 BATCH del_a -> 1`},
	{"a line over members is seen out of its order", "family", Options{}, Violated, `
		0..50 %1:0 BATCH set_data_1 -> OK
		0..50 %1:1 BATCH set_ready_1 -> OK
		0..50 %2:0 BATCH get_ready -> 1
		0..50 %2:1 BATCH get_data -> -`},
}

var familyRulings = []ruling{
	{"members are written and read as one", "family", Options{}, OK, `
		0..10  BATCH mset_a_1_b_2 -> OK
		20..30 BATCH mget_a_b_c -> 1,2,-
		40..50 BATCH msetnx_b_3_c_3 -> 0
		51..52 BATCH msetnx_c_3_d_3 -> 1
		60..70 BATCH del_a_b_x;get_c -> 2;3`},
	{"half of a write is seen", "family", Options{}, Violated, `
		0..10  BATCH mset_a_1_b_1 -> OK
		20..50 BATCH mset_a_2_b_2 -> OK
		20..50 BATCH mget_a_b -> 2,1`},
	{"half of a removal is seen", "family", Options{}, Violated, `
		0..10  BATCH mset_a_1_b_1 -> OK
		20..50 BATCH del_a_b -> 2
		20..50 BATCH mget_a_b -> -,1`},
	{"MSETNX did a half", "family", Options{}, Violated, `
		0..10  BATCH set_a_1 -> OK
		20..30 BATCH msetnx_a_2_b_2 -> 0
		40..50 BATCH get_b -> 2`},
	{"an unknown write, half seen", "family", Options{}, Violated, `
		0..    BATCH mset_a_1_b_1 -> ?
		20..30 BATCH get_a -> 1
		40..50 BATCH get_b -> -`},
	{"members are moved", "family", Options{}, OK, `
		0..10  BATCH set_a_1;rename_a_b;get_a;get_b -> OK;OK;-;1
		20..30 BATCH rename_a_b -> error
		31..32 BATCH copy_b_c;copy_b_c;copy_x_y -> 1;0;0
		40..50 BATCH move_b_a;move_b_a;mget_a_b_c -> 1;0;1,-,1`},
	{"a member is in two places", "family", Options{}, Violated, `
		0..10  BATCH set_a_1 -> OK
		20..50 BATCH rename_a_b -> OK
		20..50 BATCH mget_a_b -> 1,1`},
	{"a transaction runs as one", "family", Options{}, Violated, `
		0..50  BATCH get_a;get_a -> -;1
		10..40 BATCH set_a_1 -> OK`},
	{"a watched member is what it was", "family", Options{}, OK, `
		0..10  WATCH a w -> OK
		11..12 BATCH set_b_1 -> OK
		20..30 BATCH set_a_1 WATCHED w -> OK`},
	{"a watched member changed", "family", Options{}, OK, `
		0..10  WATCH a_b w -> OK
		11..12 BATCH set_b_1 -> OK
		20..30 BATCH set_a_1 WATCHED w -> nil
		40..50 BATCH get_a -> -`},
	{"a watched member changed, and it is not noticed", "family", Options{}, Violated, `
		0..10  WATCH a w -> OK
		11..12 BATCH set_a_1 -> OK
		20..30 BATCH set_a_2 WATCHED w -> OK`},
	{"a watched member is noticed to change back", "family", Options{}, OK, `
		0..10  WATCH a w -> OK
		11..12 BATCH set_a_1 -> OK
		13..14 BATCH del_a -> 1
		20..30 BATCH set_a_2 WATCHED w -> nil`},
	{"a watch ends without a cause", "family", Options{}, Violated, `
		0..10  WATCH a w -> OK
		11..12 BATCH del_a -> 0
		20..30 BATCH set_a_2 WATCHED w -> nil`},
	{"a watch holds for one transaction", "family", Options{}, OK, `
		0..10  WATCH a w -> OK
		20..30 BATCH set_a_1 WATCHED w -> OK
		31..32 WATCH a v -> OK
		40..50 BATCH set_a_2 WATCHED v -> OK`},
	{"an unknown write explains that a watch ended", "family", Options{}, OK, `
		0..10  WATCH a w -> OK
		11..   BATCH set_a_1 -> ?
		20..30 BATCH set_a_2 WATCHED w -> nil
		40..50 BATCH get_a -> 1`},
	{"a restart empties all members", "family", wiping, Violated, `
		0..10  BATCH mset_a_1_b_1 -> OK
		20..30 WIPE
		40..50 BATCH mget_a_b -> -,1`},
}
