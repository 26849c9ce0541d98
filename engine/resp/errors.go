package resp

// Errors of the dispatcher and of any command.
const (
	ErrBusy        Error = "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."
	ErrBusyFunc    Error = "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE."
	ErrBusyKey     Error = "BUSYKEY Target key name already exists."
	ErrExecAbort   Error = "EXECABORT Transaction discarded because of previous errors."
	ErrLoading     Error = "LOADING Redis is loading the dataset in memory"
	ErrMasterDown  Error = "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."
	ErrMisconf     Error = "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the RDB error."
	ErrNoAuth      Error = "NOAUTH Authentication required."
	ErrNoReplicas  Error = "NOREPLICAS Not enough good replicas to write."
	ErrNoScript    Error = "NOSCRIPT No matching script. Please use EVAL."
	ErrNotBusy     Error = "NOTBUSY No scripts in execution right now."
	ErrOutOfMemory Error = "OOM command not allowed when used memory > 'maxmemory'."
	ErrReadOnly    Error = "READONLY You can't write against a read only replica."
	ErrUnkillable  Error = "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command."
	ErrWrongType   Error = "WRONGTYPE Operation against a key holding the wrong kind of value"

	ErrIndexRange   Error = "ERR index out of range"
	ErrNoSuchKey    Error = "ERR no such key"
	ErrNotFloat     Error = "ERR value is not a valid float"
	ErrNotInteger   Error = "ERR value is not an integer or out of range"
	ErrNotPositive  Error = "ERR value is out of range, must be positive"
	ErrOutOfRange   Error = "ERR value is out of range"
	ErrSameObject   Error = "ERR source and destination objects are the same"
	ErrSyntax       Error = "ERR syntax error"
	ErrInMulti      Error = "ERR Command not allowed inside a transaction"
	ErrTimeoutFloat Error = "ERR timeout is not a float or out of range"
	ErrTimeoutInt   Error = "ERR timeout is not an integer or out of range"
	ErrTimeoutNeg   Error = "ERR timeout is negative"
)

// Errors of the string commands.
const (
	ErrBitArgument   Error = "ERR The bit argument must be 1 or 0."
	ErrBitNotInteger Error = "ERR bit is not an integer or out of range"
	ErrBitOffset     Error = "ERR bit offset is not an integer or out of range"
	ErrBitOpNot      Error = "ERR BITOP NOT must be called with a single source key."
	ErrBitFieldType  Error = "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."
	ErrBitFieldRO    Error = "ERR BITFIELD_RO only supports the GET subcommand"
	ErrBitOverflow   Error = "ERR Invalid OVERFLOW type specified"
	ErrDecrOverflow  Error = "ERR decrement would overflow"
	ErrDelexIf       Error = "ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE"
	ErrDelexType     Error = "ERR Key should be of string type if conditions are specified"
	ErrDigestLength  Error = "ERR must be exactly 16 hexadecimal characters"
	ErrIncrNaN       Error = "ERR increment would produce NaN or Infinity"
	ErrIncrOverflow  Error = "ERR increment or decrement would overflow"
	ErrLCSBoth       Error = "ERR If you want both the length and indexes, please just use IDX."
	ErrLCSMemory     Error = "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len"
	ErrLCSStrings    Error = "ERR The specified keys must contain string values"
	ErrLCSTooLong    Error = "ERR String too long for LCS"
	ErrMSetExKeys    Error = "ERR invalid numkeys value"
	ErrMSetExPairs   Error = "ERR wrong number of key-value pairs"
	ErrOffsetRange   Error = "ERR offset is out of range"
	ErrStringSize    Error = "ERR string exceeds maximum allowed size (proto-max-bulk-len)"
)

// Errors of the generic commands.
const (
	ErrBadData     Error = "ERR Bad data format"
	ErrCopyCluster Error = "ERR Copying to another database is not allowed in cluster mode"
	ErrCursor      Error = "ERR invalid cursor"
	ErrDBIndex     Error = "ERR DB index is out of range"
	ErrExpireGTLT  Error = "ERR GT and LT options at the same time are not compatible"
	ErrExpireNX    Error = "ERR NX and XX, GT or LT options at the same time are not compatible"
	ErrIdleWithLFU Error = "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."
	ErrFreqNoLFU   Error = "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust."
	ErrMoveCluster Error = "ERR MOVE is not allowed in cluster mode"
	ErrPayload     Error = "ERR DUMP payload version or checksum are wrong"
	ErrRestoreFreq Error = "ERR Invalid FREQ value, must be >= 0 and <= 255"
	ErrRestoreIdle Error = "ERR Invalid IDLETIME value, must be >= 0"
	ErrRestoreTTL  Error = "ERR Invalid TTL value, must be >= 0"
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
	ErrCachingMode      Error = "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled"
	ErrCachingNo        Error = "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode."
	ErrCachingYes       Error = "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode."
	ErrClientID         Error = "ERR Invalid client ID"
	ErrClientIDPositive Error = "ERR client-id should be greater than 0"
	ErrClientName       Error = "ERR Client names cannot contain spaces, newlines or special characters."
	ErrHelloNoAuth      Error = "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time"
	ErrMaxClients       Error = "ERR max number of clients reached"
	ErrMonitorInExec    Error = "ERR MONITOR isn't allowed for DENY BLOCKING client"
	ErrNoProto          Error = "NOPROTO unsupported protocol version"
	ErrNoSuchClient     Error = "ERR No such client"
	ErrPauseMode        Error = "ERR CLIENT PAUSE mode must be WRITE or ALL"
	ErrProtected        Error = "DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user. In this mode connections are only accepted from the loopback interface. If you want to connect from external computers to Redis you may adopt one of the following solutions: 1) Just disable protected mode sending the command 'CONFIG SET protected-mode no' from the loopback interface by connecting to Redis from the same host the server is running, however MAKE SURE Redis is not publicly accessible from internet if you do so. Use CONFIG REWRITE to make this change permanent. 2) Alternatively you can just disable the protected mode by editing the Redis configuration file, and setting the protected mode option to 'no', and then restarting the server. 3) If you started the server manually just for testing, restart it with the '--protected-mode no' option. 4) Setup a an authentication password for the default user. NOTE: You only need to do one of the above things in order for the server to start accepting connections from the outside."
	ErrProtoVersion     Error = "ERR Protocol version is not an integer or out of range"
	ErrResetKind        Error = "ERR can only reset normal client connections"
	ErrSelectCluster    Error = "ERR SELECT is not allowed in cluster mode"
	ErrTrackBcast       Error = "ERR OPTIN and OPTOUT are not compatible with BCAST"
	ErrTrackOptBoth     Error = "ERR You can't specify both OPTIN mode and OPTOUT mode"
	ErrTrackPrefix      Error = "ERR PREFIX option requires BCAST mode to be enabled"
	ErrTrackRedirect    Error = "ERR The client ID you want redirect to does not exist"
	ErrTrackRedirects   Error = "ERR A client can only redirect to a single other client"
	ErrTrackSwitchBcast Error = "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then re-enabling it with a different mode."
	ErrTrackSwitchOpt   Error = "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then re-enabling it with a different mode."
	ErrUnblocked        Error = "UNBLOCKED client unblocked via CLIENT UNBLOCK"
	ErrUnblockedByRole  Error = "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"
	ErrUnblockReason    Error = "ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR"
	ErrWrongPass        Error = "WRONGPASS invalid username-password pair or user is disabled."
)

// Errors of the server, persistence and scripting commands.
const (
	ErrAppendRewriting Error = "ERR Background append only file rewriting already in progress"
	ErrCommandArgs     Error = "ERR Invalid arguments specified for command"
	ErrCommandArgCount Error = "ERR Invalid number of arguments specified for command"
	ErrCommandKeyless  Error = "ERR The command has no key arguments"
	ErrCommandName     Error = "ERR Invalid command specified"
	ErrNoConfigFile    Error = "ERR The server is running without a config file"
	ErrNoShutdown      Error = "ERR No shutdown in progress."
	ErrNumKeysMany     Error = "ERR Number of keys can't be greater than number of args"
	ErrNumKeysNegative Error = "ERR Number of keys can't be negative"
	ErrOtherChild      Error = "ERR Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE SCHEDULE in order to schedule a BGSAVE whenever possible."
	ErrSaveInProgress  Error = "ERR Background save already in progress"
	ErrPushRESP2       Error = "ERR RESP2 is not supported by this command"
	ErrProtocolType    Error = "ERR Wrong protocol type name. Please use one of the following: string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false"
	ErrScriptReadOnly  Error = "ERR Write commands are not allowed from read-only scripts."
	ErrShutdown        Error = "ERR Errors trying to SHUTDOWN. Check logs."
	ErrSlowLogCount    Error = "ERR count should be greater than or equal to -1"
)

// Errors of the cluster.
const (
	ErrClusterDown     Error = "CLUSTERDOWN The cluster is down"
	ErrClusterOff      Error = "ERR This instance has cluster support disabled"
	ErrClusterReadOnly Error = "CLUSTERDOWN The cluster is down and only accepts read commands"
	ErrCrossSlot       Error = "CROSSSLOT Keys in request don't hash to the same slot"
	ErrReplicaCluster  Error = "ERR REPLICAOF not allowed in cluster mode."
	ErrSlotRange       Error = "ERR Invalid or out of range slot"
	ErrSlotUnserved    Error = "CLUSTERDOWN Hash slot not served"
	ErrTryAgain        Error = "TRYAGAIN Multiple keys request during rehashing of slot"
)

// Errors that the access control list answers with.
const (
	ErrNoPermChannel Error = "NOPERM this user has no permissions to access one of the channels used as arguments"
	ErrNoPermKey     Error = "NOPERM this user has no permissions to access one of the keys used as arguments"
)

// Errors of the other data types.
const (
	ErrNotHLL        Error = "WRONGTYPE Key is not a valid HyperLogLog string value."
	ErrCorruptHLL    Error = "INVALIDOBJ Corrupted HLL object detected"
	ErrCountNegative Error = "ERR COUNT can't be negative"
	ErrCountPositive Error = "ERR count should be greater than 0"
	ErrGroupExists   Error = "BUSYGROUP Consumer Group name already exists"
	ErrGroupGone     Error = "NOGROUP the consumer group this client was blocked on no longer exists"
	ErrHashFloat     Error = "ERR hash value is not a float"
	ErrHashInteger   Error = "ERR hash value is not an integer"
	ErrLimitNegative Error = "ERR LIMIT can't be negative"
	ErrLPosMaxLen    Error = "ERR MAXLEN can't be negative"
	ErrLPosRank      Error = "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list"
	ErrNumKeysZero   Error = "ERR numkeys should be greater than 0"
	ErrRangeFloat    Error = "ERR min or max is not a float"
	ErrRangeString   Error = "ERR min or max not valid string range item"
	ErrScoreNaN      Error = "ERR resulting score is not a number (NaN)"
	ErrStreamGone    Error = "UNBLOCKED the stream key no longer exists"
	ErrValueNaN      Error = "ERR value is NaN or Infinity"
	ErrWeightFloat   Error = "ERR weight value is not a float"
)
