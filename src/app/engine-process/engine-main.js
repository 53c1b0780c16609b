// The first module of the engine process, in JavaScript as that of the gateway is.
import { flushCompileCache } from 'node:module';

// libuv reads it when its first thread starts. A DuckDB query occupies a thread, and the default of four is too few.
process.env.UV_THREADPOOL_SIZE ??= '16';
// Files are private to this user.
process.umask(0o077);
// Node writes the compile cache, which the environment names, when a process exits, but this one is ended by a signal. By then it also contains the
// functions called during the start. Writing takes 0.2 s the first time, then a millisecond (measured).
setTimeout(flushCompileCache, 2_000).unref();
await import('./engine-process.ts');
