package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// kind is how the values of an option are read and written. A kind knows where
// in Values its option lives.
type kind interface {
	// set reads text into v. It fails with the reason, in Redis's words, and
	// leaves v as it was.
	set(v *Values, text string) error
	// get is the canonical text: what CONFIG GET shows, and what set accepts.
	get(v *Values) string
	// describe tells for the documentation what values there are.
	describe() string
	// shape tells how the value is written in TOML.
	shape() shape
}

// reason is why a value was refused, in Redis's words.
type reason string

func (r reason) Error() string { return string(r) }

const notMemory = reason("argument must be a memory value")

// number is an integer between min and max. A value outside [floor, ceil],
// where those are set, is taken as the nearest one inside, as Redis does for hz.
type number struct {
	field       func(*Values) *int64
	min, max    int64
	floor, ceil int64
	unit        string
}

func (k number) set(v *Values, text string) error {
	n, ok := integer(text)
	if !ok {
		return reason("argument couldn't be parsed into an integer")
	}
	if err := within(n, k.min, k.max); err != nil {
		return err
	}
	if k.ceil > 0 {
		n = min(max(n, k.floor), k.ceil)
	}
	*k.field(v) = n
	return nil
}

func (k number) get(v *Values) string { return strconv.FormatInt(*k.field(v), 10) }
func (k number) shape() shape         { return asInteger }

func (k number) describe() string {
	text := "integer, " + bounds(k.min, k.max)
	if k.ceil > 0 {
		text = "integer, " + bounds(k.floor, k.ceil)
	}
	if k.unit != "" {
		text += ", " + k.unit
	}
	return text
}

// bounds describes a range, without an end that is merely the type's.
func bounds(low, high int64) string {
	if high >= math.MaxInt32 {
		return fmt.Sprintf("%d or more", low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

func within(n, low, high int64) error {
	if n < low || n > high {
		return reason(fmt.Sprintf("argument must be between %d and %d inclusive", low, high))
	}
	return nil
}

// integer reads a decimal integer the way Redis does: no spaces, plus sign or
// leading zeros.
func integer(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == text
}

// memory is an amount of bytes of at least min.
type memory struct {
	field func(*Values) *int64
	min   int64
}

func (k memory) set(v *Values, text string) error {
	n, ok := amount(text)
	if !ok {
		return notMemory
	}
	if err := within(n, k.min, math.MaxInt64); err != nil {
		return err
	}
	*k.field(v) = n
	return nil
}

func (k memory) get(v *Values) string { return strconv.FormatInt(*k.field(v), 10) }
func (k memory) shape() shape         { return asInteger }

func (k memory) describe() string {
	if k.min > 0 {
		return fmt.Sprintf("memory, %d bytes or more", k.min)
	}
	return "memory"
}

// units are the suffixes of amounts of memory. "k" is 1000 and "kb" 1024, as
// in Redis.
var units = []struct {
	suffix string
	bytes  int64
}{
	{"kb", 1 << 10}, {"mb", 1 << 20}, {"gb", 1 << 30},
	{"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"b", 1},
}

// amount reads an amount of memory: digits and a unit in either case. As in
// Redis, no digits are 0.
func amount(text string) (int64, bool) {
	text = untilNUL(text)
	digits := strings.TrimRight(text, "bBkKmMgG")
	scale := int64(1)
	if suffix := strings.ToLower(text[len(digits):]); suffix != "" {
		scale = 0
		for _, u := range units {
			if u.suffix == suffix {
				scale = u.bytes
			}
		}
	}
	if digits == "" {
		digits = "0"
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || scale == 0 || int64(n) > math.MaxInt64/scale {
		return 0, false
	}
	return int64(n) * scale, true
}

// untilNUL is what C takes a text for, as Redis does when it reads amounts,
// names and yes or no.
func untilNUL(text string) string {
	text, _, _ = strings.Cut(text, "\x00")
	return text
}

// share is an amount of memory or a percentage.
type share struct{ field func(*Values) *Share }

func (k share) set(v *Values, text string) error {
	if number, percent := strings.CutSuffix(text, "%"); percent {
		n, ok := integer(number)
		if !ok || n < 0 {
			return reason("argument must be a memory or percent value")
		}
		if n > 100 {
			return reason("percentage argument must be less or equal to 100")
		}
		*k.field(v) = Share{Percent: n}
		return nil
	}
	n, ok := amount(text)
	if !ok {
		return reason("argument must be a memory or percent value")
	}
	*k.field(v) = Share{Bytes: n}
	return nil
}

func (k share) get(v *Values) string {
	if s := *k.field(v); s.Percent > 0 {
		return strconv.FormatInt(s.Percent, 10) + "%"
	}
	return strconv.FormatInt(k.field(v).Bytes, 10)
}

func (k share) shape() shape     { return asWord }
func (k share) describe() string { return "memory, or a percentage of `maxmemory`" }

// boolean is yes or no.
type boolean struct{ field func(*Values) *bool }

func (k boolean) set(v *Values, text string) error {
	switch strings.ToLower(untilNUL(text)) {
	case "yes":
		*k.field(v) = true
	case "no":
		*k.field(v) = false
	default:
		return reason("argument must be 'yes' or 'no'")
	}
	return nil
}

func (k boolean) get(v *Values) string {
	if *k.field(v) {
		return "yes"
	}
	return "no"
}

func (k boolean) shape() shape     { return asBool }
func (k boolean) describe() string { return "yes or no" }

// enum is one of a few names; the value is the place of its name.
type enum[T ~uint8] struct {
	field func(*Values) *T
	names []string
}

func (k enum[T]) set(v *Values, text string) error {
	for i, name := range k.names {
		if strings.EqualFold(name, untilNUL(text)) {
			*k.field(v) = T(i)
			return nil
		}
	}
	return reason("argument(s) must be one of the following: " + strings.Join(k.names, ", "))
}

func (k enum[T]) get(v *Values) string { return k.names[*k.field(v)] }
func (k enum[T]) shape() shape         { return asWord }
func (k enum[T]) describe() string     { return "one of " + strings.Join(k.names, ", ") }
