// The first module of the engine process, in JavaScript as that of the gateway is.
import { enableCompileCache, flushCompileCache } from 'node:module';

// libuv reads it when its first thread starts. A DuckDB query holds one of its threads, and four are few.
process.env.UV_THREADPOOL_SIZE ??= '16';
// Files are for this user only.
process.umask(0o077);
enableCompileCache();
await import('./engine-process.ts');
// Node does so at the end of a process, which is sudden here. Without it each restart would compile everything anew.
flushCompileCache();
