// Loaded by mocha before anything else: the server's log stays quiet unless asked for.
process.env.MILLRACE_LOG_LEVEL ??= 'silent';
