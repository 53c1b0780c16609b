// The first module of the engine process, in JavaScript as that of the gateway is.
import { enableCompileCache, flushCompileCache } from 'node:module';

// libuv reads it when its first thread starts. A DuckDB query holds one of its threads, and four are few.
process.env.UV_THREADPOOL_SIZE ??= '16';
// Files are for this user only.
process.umask(0o077);
enableCompileCache();
// Node writes it when a process ends by itself, and this one is ended by a signal. Once the store is open, functions that a start
// calls are part of it. It takes 0.2 s the first time, and then a millisecond (measured).
setTimeout(flushCompileCache, 2_000).unref();
await import('./engine-process.ts');
