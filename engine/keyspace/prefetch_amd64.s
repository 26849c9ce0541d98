//go:build !race

#include "textflag.h"

// func prefetch(p unsafe.Pointer)
TEXT ·prefetch(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ p+0(FP), AX
	PREFETCHT0 (AX)
	RET

// func prefetchPair(p unsafe.Pointer)
TEXT ·prefetchPair(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ p+0(FP), AX
	PREFETCHT0 (AX)
	PREFETCHT0 64(AX)
	PREFETCHT0 87(AX)
	RET

// func prefetchEach(list *uintptr, n int)
TEXT ·prefetchEach(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ list+0(FP), AX
	MOVQ n+8(FP), CX
	TESTQ CX, CX
	JLE done
each:
	MOVQ (AX), DX
	PREFETCHT0 (DX)
	ADDQ $8, AX
	DECQ CX
	JNZ each
done:
	RET

// func prefetchEachPair(list *uintptr, n int)
TEXT ·prefetchEachPair(SB), NOSPLIT|NOFRAME, $0-16
	MOVQ list+0(FP), AX
	MOVQ n+8(FP), CX
	TESTQ CX, CX
	JLE done
each:
	MOVQ (AX), DX
	PREFETCHT0 (DX)
	PREFETCHT0 64(DX)
	PREFETCHT0 87(DX)
	ADDQ $8, AX
	DECQ CX
	JNZ each
done:
	RET
