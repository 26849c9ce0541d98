package resp

// ErrMaxAge is a MAXAGE of CLIENT KILL that is no age.
const ErrMaxAge Error = "ERR maxage is not an integer or out of range"

// UnknownClientInfo names an attribute that CLIENT SETINFO does not know.
func UnknownClientInfo(option []byte) Error {
	return plain("Unrecognized option '" + shown(option, len(option)) + "'")
}

// ClientInfoValue names an attribute that was given a value with spaces.
func ClientInfoValue(option []byte) Error {
	return plain(shown(option, len(option)) + " cannot contain spaces, newlines or special characters.")
}
