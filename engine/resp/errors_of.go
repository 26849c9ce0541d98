package resp

import (
	"strconv"
	"strings"
)

// WrongArity is a command called with a wrong number of arguments. The name is
// in lower case, a subcommand's as "client|list".
func WrongArity(name string) Error {
	return plain("wrong number of arguments for '" + name + "' command")
}

// UnknownCommand names a command that does not exist and the arguments behind
// it, 128 bytes of each.
func UnknownCommand(name []byte, args [][]byte) Error {
	var echo strings.Builder
	for _, arg := range args {
		if echo.Len() >= echoLimit {
			break
		}
		echo.WriteString("'" + shown(arg, echoLimit-echo.Len()) + "' ")
	}
	return Error("ERR " + lines.Replace("unknown command '"+shown(name, echoLimit)+
		"', with args beginning with: "+echo.String()))
}

// UnknownSubcommand names a subcommand that a command does not have.
func UnknownSubcommand(command string, sub []byte) Error {
	return plain("unknown subcommand '" + shown(sub, echoLimit) + "'. Try " + strings.ToUpper(command) + " HELP.")
}

// SubcommandSyntax is a subcommand that is unknown or has a wrong number of
// arguments.
func SubcommandSyntax(command string, sub []byte) Error {
	return plain("unknown subcommand or wrong number of arguments for '" + shown(sub, echoLimit) +
		"'. Try " + strings.ToUpper(command) + " HELP.")
}

// InvalidExpire is an expiry that a command cannot set.
func InvalidExpire(command string) Error {
	return plain("invalid expire time in '" + command + "' command")
}

// UnsupportedOption names an option that EXPIRE and its kin do not know.
func UnsupportedOption(option []byte) Error {
	return plain("Unsupported option " + shown(option, len(option)))
}

// NotBetween is an integer outside of a range.
func NotBetween(low, high int64) Error {
	return plain("value is out of range, value must between " + decimal(low) + " and " + decimal(high))
}

// HelloOption names an option that HELLO does not know.
func HelloOption(option []byte) Error {
	return plain("Syntax error in HELLO option '" + shown(option, len(option)) + "'")
}

// UnknownClientType names a type that CLIENT does not know.
func UnknownClientType(name []byte) Error {
	return plain("Unknown client type '" + shown(name, len(name)) + "'")
}

// UnknownClientInfo names an attribute that CLIENT SETINFO does not know.
func UnknownClientInfo(option []byte) Error {
	return plain("Unrecognized option '" + shown(option, len(option)) + "'")
}

// ClientInfoValue names an attribute that was given a value with spaces.
func ClientInfoValue(option []byte) Error {
	return plain(shown(option, len(option)) + " cannot contain spaces, newlines or special characters.")
}

// NoSuchUser names a user that does not exist.
func NoSuchUser(name []byte) Error {
	return plain("No such user '" + shown(name, len(name)) + "'")
}

// ExecAborted tells why EXEC did not run. A code that says nothing is left out.
func ExecAborted(reason Error) Error {
	return "EXECABORT Transaction discarded because of: " + Error(strings.TrimPrefix(string(reason), "ERR "))
}

// NotEnabled is a command that the configuration keeps from this connection,
// with the option that would open it.
func NotEnabled(command, option string) Error {
	return plain(command + " command not allowed. If the " + option +
		" option is set to \"local\", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server.")
}

// Rewriting tells why CONFIG REWRITE failed.
func Rewriting(why string) Error { return plain("Rewriting config file: " + why) }

// NoLatencySamples is an event of which LATENCY has nothing to show.
func NoLatencySamples(event []byte) Error {
	return plain("No samples available for event '" + shown(event, len(event)) + "'")
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
