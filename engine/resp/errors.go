package resp

// Errors of the dispatcher and of any command.
const (
	ErrExecAbort   Error = "EXECABORT Transaction discarded because of previous errors."
	ErrNoAuth      Error = "NOAUTH Authentication required."
	ErrOutOfMemory Error = "OOM command not allowed when used memory > 'maxmemory'."
	ErrWrongType   Error = "WRONGTYPE Operation against a key holding the wrong kind of value"

	ErrNoSuchKey   Error = "ERR no such key"
	ErrNotFloat    Error = "ERR value is not a valid float"
	ErrNotInteger  Error = "ERR value is not an integer or out of range"
	ErrNotPositive Error = "ERR value is out of range, must be positive"
	ErrSameObject  Error = "ERR source and destination objects are the same"
	ErrSyntax      Error = "ERR syntax error"
	ErrInMulti     Error = "ERR Command not allowed inside a transaction"
	ErrTimeoutInt  Error = "ERR timeout is not an integer or out of range"
	ErrTimeoutNeg  Error = "ERR timeout is negative"
)

// Errors of the string commands.
const (
	ErrDecrOverflow Error = "ERR decrement would overflow"
	ErrDelexIf      Error = "ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE"
	ErrDelexType    Error = "ERR Key should be of string type if conditions are specified"
	ErrDigestLength Error = "ERR must be exactly 16 hexadecimal characters"
	ErrIncrNaN      Error = "ERR increment would produce NaN or Infinity"
	ErrIncrOverflow Error = "ERR increment or decrement would overflow"
	ErrLCSBoth      Error = "ERR If you want both the length and indexes, please just use IDX."
	ErrLCSMemory    Error = "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len"
	ErrLCSStrings   Error = "ERR The specified keys must contain string values"
	ErrLCSTooLong   Error = "ERR String too long for LCS"
	ErrMSetExKeys   Error = "ERR invalid numkeys value"
	ErrMSetExPairs  Error = "ERR wrong number of key-value pairs"
	ErrOffsetRange  Error = "ERR offset is out of range"
	ErrStringSize   Error = "ERR string exceeds maximum allowed size (proto-max-bulk-len)"
)

// Errors of the generic commands.
const (
	ErrCopyCluster Error = "ERR Copying to another database is not allowed in cluster mode"
	ErrCursor      Error = "ERR invalid cursor"
	ErrDBIndex     Error = "ERR DB index is out of range"
	ErrExpireGTLT  Error = "ERR GT and LT options at the same time are not compatible"
	ErrExpireNX    Error = "ERR NX and XX, GT or LT options at the same time are not compatible"
	ErrIdleWithLFU Error = "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."
	ErrFreqNoLFU   Error = "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."
	ErrMoveCluster Error = "ERR MOVE is not allowed in cluster mode"
	ErrSwapCluster Error = "ERR SWAPDB is not allowed in cluster mode"
	ErrSwapFirst   Error = "ERR invalid first DB index"
	ErrSwapSecond  Error = "ERR invalid second DB index"
)

// Errors of transactions.
const (
	ErrDiscardWithoutMulti Error = "ERR DISCARD without MULTI"
	ErrExecWithoutMulti    Error = "ERR EXEC without MULTI"
	ErrNestedMulti         Error = "ERR MULTI calls can not be nested"
	ErrWatchInMulti        Error = "ERR WATCH inside MULTI is not allowed"
)

// Errors of the connection commands.
const (
	ErrAuthUnset        Error = "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?"
	ErrClientID         Error = "ERR Invalid client ID"
	ErrClientIDPositive Error = "ERR client-id should be greater than 0"
	ErrClientName       Error = "ERR Client names cannot contain spaces, newlines or special characters."
	ErrHelloNoAuth      Error = "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time"
	ErrMaxAge           Error = "ERR maxage is not an integer or out of range"
	ErrMaxClients       Error = "ERR max number of clients reached"
	ErrMonitorInExec    Error = "ERR MONITOR isn't allowed for DENY BLOCKING client"
	ErrNoProto          Error = "NOPROTO unsupported protocol version"
	ErrNoSuchClient     Error = "ERR No such client"
	ErrPauseMode        Error = "ERR CLIENT PAUSE mode must be WRITE or ALL"
	ErrProtected        Error = "DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user. In this mode connections are only accepted from the loopback interface. If you want to connect from external computers to Redis you may adopt one of the following solutions: 1) Just disable protected mode sending the command 'CONFIG SET protected-mode no' from the loopback interface by connecting to Redis from the same host the server is running, however MAKE SURE Redis is not publicly accessible from internet if you do so. Use CONFIG REWRITE to make this change permanent. 2) Alternatively you can just disable the protected mode by editing the Redis configuration file, and setting the protected mode option to 'no', and then restarting the server. 3) If you started the server manually just for testing, restart it with the '--protected-mode no' option. 4) Setup a an authentication password for the default user. NOTE: You only need to do one of the above things in order for the server to start accepting connections from the outside."
	ErrProtoVersion     Error = "ERR Protocol version is not an integer or out of range"
	ErrSelectCluster    Error = "ERR SELECT is not allowed in cluster mode"
	ErrUnblockReason    Error = "ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR"
	ErrWrongPass        Error = "WRONGPASS invalid username-password pair or user is disabled."
)

// Errors of the server commands.
const (
	ErrCommandArgs     Error = "ERR Invalid arguments specified for command"
	ErrCommandArgCount Error = "ERR Invalid number of arguments specified for command"
	ErrCommandKeyless  Error = "ERR The command has no key arguments"
	ErrCommandName     Error = "ERR Invalid command specified"
	ErrNoConfigFile    Error = "ERR The server is running without a config file"
	ErrNoShutdown      Error = "ERR No shutdown in progress."
	ErrPushRESP2       Error = "ERR RESP2 is not supported by this command"
	ErrProtocolType    Error = "ERR Wrong protocol type name. Please use one of the following: string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false"
	ErrShutdown        Error = "ERR Errors trying to SHUTDOWN. Check logs."
	ErrSlowLogCount    Error = "ERR count should be greater than or equal to -1"
)
