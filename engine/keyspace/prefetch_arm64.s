//go:build !race

#include "textflag.h"

// func prefetch(p unsafe.Pointer)
TEXT ·prefetch(SB), NOSPLIT|NOFRAME, $0-8
	MOVD p+0(FP), R0
	PRFM (R0), PLDL1KEEP
	RET

// func prefetchPair(p unsafe.Pointer)
TEXT ·prefetchPair(SB), NOSPLIT|NOFRAME, $0-8
	MOVD p+0(FP), R0
	PRFM (R0), PLDL1KEEP
	PRFM 64(R0), PLDL1KEEP
	ADD $87, R0, R0
	PRFM (R0), PLDL1KEEP
	RET

// func prefetchWords(p unsafe.Pointer)
TEXT ·prefetchWords(SB), NOSPLIT|NOFRAME, $0-8
	MOVD p+0(FP), R0
	PRFM (R0), PLDL1KEEP
	PRFM 40(R0), PLDL1KEEP
	RET
