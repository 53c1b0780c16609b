// The first module of the engine process, in JavaScript as that of the gateway is.
import { enableCompileCache, flushCompileCache } from 'node:module';

// libuv reads it when its first thread starts. A DuckDB query holds one of its threads, and four are few.
process.env.UV_THREADPOOL_SIZE ??= '16';
// Files are for this user only.
process.umask(0o077);
enableCompileCache();
// Node writes what it has compiled when a process ends by itself, and this one is ended by a signal. By then it has served its first
// queries, whose functions are kept, too. Where all of it is there already, this takes a millisecond (measured).
setTimeout(flushCompileCache, 5_000).unref();
await import('./engine-process.ts');
