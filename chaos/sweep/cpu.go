package sweep

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// cpuByPs is the processor time of a process by the word of ps, which all systems
// have.
func cpuByPs(pid int) (time.Duration, error) {
	text, err := exec.Command("ps", "-o", "time=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, fmt.Errorf("sweep: processor time of process %d: ps: %w", pid, err)
	}
	return parseCPU(strings.TrimSpace(string(text)))
}

// parseCPU reads a time as ps writes it: 1-02:03:04, 02:03:04 or 2:03.04.
func parseCPU(text string) (time.Duration, error) {
	days, rest, any := strings.Cut(text, "-")
	if !any {
		days, rest = "0", text
	}
	sum, err := strconv.ParseFloat(days, 64)
	parts := strings.Split(rest, ":")
	if len(parts) == 2 {
		parts = append([]string{"0"}, parts...)
	}
	if err != nil || len(parts) != 3 {
		return 0, fmt.Errorf("sweep: processor time %q is none", text)
	}
	for i, part := range parts {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("sweep: processor time %q is none", text)
		}
		sum = sum*[]float64{24, 60, 60}[i] + n
	}
	return time.Duration(sum * float64(time.Second)), nil
}
