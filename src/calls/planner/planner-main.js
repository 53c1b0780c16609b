// The first module of the planning thread, in JavaScript as that of the gateway is.
import { flushCompileCache } from 'node:module';

// A killed gateway would not write the compile cache, which the thread's environment names. Without the cache, loading takes more
// than twice as long (measured).
setTimeout(flushCompileCache, 2_000).unref();
await import('./thread.ts');
