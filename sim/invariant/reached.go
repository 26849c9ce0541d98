package invariant

// Watch, if set before the program begins, is told of each mark that is reached.
// The simulator sets it; production leaves it nil.
var Watch func(mark string)

// Reached marks a place that a program seldom comes to and that a test must have
// come to before it is content. The marks are listed in chaos/mark.
func Reached(mark string) {
	if Watch != nil {
		Watch(mark)
	}
}
