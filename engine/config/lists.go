package config

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
)

// text is any string.
type text struct {
	field func(*Values) *string
	what  string // "path"
}

func (k text) set(v *Values, text string) error { *k.field(v) = text; return nil }
func (k text) get(v *Values) string             { return *k.field(v) }
func (k text) shape() shape                     { return asString }
func (k text) describe() string                 { return k.what }

// words is a list of words.
type words struct {
	field func(*Values) *[]string
	what  string
}

func (k words) set(v *Values, text string) error {
	list := strings.Fields(text)
	if slices.Contains(list, optionalMark) {
		return reason("an address must follow the '" + optionalMark + "'")
	}
	*k.field(v) = list
	return nil
}

// optionalMark stands in front of an address that may be missing.
const optionalMark = "-"

func (k words) get(v *Values) string { return strings.Join(*k.field(v), " ") }
func (k words) shape() shape         { return asArray }
func (k words) describe() string     { return "list of " + k.what }

// permissions are the bits of a file's mode, in octal.
type permissions struct{ field func(*Values) *uint32 }

func (k permissions) set(v *Values, text string) error {
	n, err := strconv.ParseUint(text, 8, 32)
	if err != nil {
		return reason("argument couldn't be parsed as an octal number")
	}
	if n > uint64(fs.ModePerm) {
		return reason("argument must be between 0 and 777 inclusive")
	}
	*k.field(v) = uint32(n)
	return nil
}

func (k permissions) get(v *Values) string {
	return strconv.FormatUint(uint64(*k.field(v)), 8)
}

func (k permissions) shape() shape     { return asString }
func (k permissions) describe() string { return "octal permissions, 0 to 777" }

// password takes a password, or the hash of one as "#" and 64 hexadecimal
// digits; it shows the hash.
type password struct{ field func(*Values) *Password }

func (k password) set(v *Values, text string) error {
	if p, ok := hashed(text); ok {
		*k.field(v) = p
		return nil
	}
	*k.field(v) = NewPassword(text)
	return nil
}

func hashed(text string) (Password, bool) {
	p := Password{set: true}
	digits, found := strings.CutPrefix(text, "#")
	if !found || len(digits) != hex.EncodedLen(len(p.sum)) {
		return p, false
	}
	_, err := hex.Decode(p.sum[:], []byte(digits))
	return p, err == nil
}

func (k password) get(v *Values) string { return k.field(v).String() }
func (k password) shape() shape         { return asString }

func (k password) describe() string {
	return "password, or `#` and the SHA-256 of one in hexadecimal"
}

// split cuts a text into words as Redis does: at every single blank, so that two
// in a row have an empty word between them.
func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, " ")
}

// percentiles is a list of percentages.
type percentiles struct {
	name  string
	field func(*Values) *[]float64
}

func (k percentiles) set(v *Values, text string) error {
	list := []float64{}
	for _, word := range split(text) {
		p, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(p) {
			return reason("Invalid " + k.name + " parameters")
		}
		if p < 0 || p > 100 {
			return reason(k.name + " parameters should sit between [0.0,100.0]")
		}
		list = append(list, p)
	}
	*k.field(v) = list
	return nil
}

func (k percentiles) get(v *Values) string {
	list := make([]string, len(*k.field(v)))
	for i, p := range *k.field(v) {
		// Six decimals without trailing zeros, as Redis prints them.
		list[i] = strings.TrimRight(strings.TrimRight(strconv.FormatFloat(p, 'f', 6, 64), "0"), ".")
	}
	return strings.Join(list, " ")
}

func (k percentiles) shape() shape     { return asList }
func (k percentiles) describe() string { return "list of percentages" }

// limits holds a hard limit, a soft limit and seconds for each class named;
// classes not named keep theirs.
type limits struct{ field func(*Values) *OutputLimits }

func (k limits) set(v *Values, text string) error {
	words := split(text)
	if len(words)%4 != 0 {
		return reason("Wrong number of arguments in buffer limit configuration.")
	}
	limits := *k.field(v)
	for group := range slices.Chunk(words, 4) {
		class, ok := classOf(group[0])
		if !ok {
			return reason("Invalid client class specified in buffer limit configuration.")
		}
		limit, ok := limitOf(group[1:])
		if !ok {
			return reason("Error in hard, soft or soft_seconds setting in buffer limit configuration.")
		}
		limits[class] = limit
	}
	*k.field(v) = limits
	return nil
}

// classOf finds a class by its name in any case; "replica" is "slave".
func classOf(name string) (Class, bool) {
	name = strings.ToLower(untilNUL(name))
	if name == "replica" {
		return ClassReplica, true
	}
	i := slices.Index(classNames[:], name)
	return Class(max(i, 0)), i >= 0
}

func limitOf(words []string) (OutputLimit, bool) {
	hard, ok1 := amount(words[0])
	soft, ok2 := amount(words[1])
	seconds, err := strconv.ParseInt(untilNUL(words[2]), 10, 64)
	return OutputLimit{hard, soft, seconds}, ok1 && ok2 && err == nil && seconds >= 0
}

func (k limits) get(v *Values) string {
	groups := make([]string, classes)
	for class, l := range *k.field(v) {
		groups[class] = fmt.Sprintf("%s %d %d %d", classNames[class], l.Hard, l.Soft, l.SoftSeconds)
	}
	return strings.Join(groups, " ")
}

func (k limits) shape() shape { return asList }

func (k limits) describe() string {
	return "for each of normal, replica, pubsub: its name, hard limit, soft limit, seconds above the soft limit"
}

// cores is no, yes, or a list of cores such as 0-3,8.
type cores struct{ field func(*Values) *Pin }

// maxCore bounds the numbers of cores, so that a slip does not fill memory.
const maxCore = 4095

func (k cores) set(v *Values, text string) error {
	pin := Pin{On: strings.EqualFold(text, "yes")}
	if !pin.On && !strings.EqualFold(text, "no") {
		list, ok := coreList(text)
		if !ok {
			return reason("argument must be 'yes', 'no' or a list of cores such as 0-3,8")
		}
		pin = Pin{On: true, CPUs: list}
	}
	*k.field(v) = pin
	return nil
}

func coreList(text string) ([]int, bool) {
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		low, ok1 := integer(first)
		high, ok2 := integer(last)
		if !ok1 || !ok2 || low < 0 || high < low || high > maxCore {
			return nil, false
		}
		for core := low; core <= high; core++ {
			list = append(list, int(core))
		}
	}
	return list, true
}

func (k cores) get(v *Values) string {
	pin := *k.field(v)
	if !pin.On {
		return "no"
	}
	if len(pin.CPUs) == 0 {
		return "yes"
	}
	list := make([]string, len(pin.CPUs))
	for i, core := range pin.CPUs {
		list[i] = strconv.Itoa(core)
	}
	return strings.Join(list, ",")
}

func (k cores) shape() shape     { return asWord }
func (k cores) describe() string { return "yes, no, or a list of cores such as `0-3,8`" }

// fixed is an option of Redis that has but one value here, as clients ask for
// it: what it would switch on does not exist in this version.
type fixed struct{ value string }

func (k fixed) set(_ *Values, text string) error {
	if text != k.value {
		return reason("nothing is kept on disk in this version: the only value is '" + k.value + "'")
	}
	return nil
}

func (k fixed) get(*Values) string { return k.value }
func (k fixed) shape() shape       { return asString }
func (k fixed) describe() string {
	if k.value == "" {
		return "empty, nothing else"
	}
	return "`" + k.value + "`, nothing else"
}
