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

// func prefetchEach(list *uintptr, n int)
TEXT ·prefetchEach(SB), NOSPLIT|NOFRAME, $0-16
	MOVD list+0(FP), R0
	MOVD n+8(FP), R1
	CMP $0, R1
	BLE done
each:
	MOVD.P 8(R0), R2
	PRFM (R2), PLDL1KEEP
	SUBS $1, R1, R1
	BNE each
done:
	RET

// func prefetchEachPair(list *uintptr, n int)
TEXT ·prefetchEachPair(SB), NOSPLIT|NOFRAME, $0-16
	MOVD list+0(FP), R0
	MOVD n+8(FP), R1
	CMP $0, R1
	BLE done
each:
	MOVD.P 8(R0), R2
	PRFM (R2), PLDL1KEEP
	PRFM 64(R2), PLDL1KEEP
	ADD $87, R2, R2
	PRFM (R2), PLDL1KEEP
	SUBS $1, R1, R1
	BNE each
done:
	RET
