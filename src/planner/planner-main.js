// The first module of the planning thread, in JavaScript as that of the gateway is.
import { enableCompileCache, flushCompileCache } from 'node:module';

// Each thread must enable the compile cache. Without it, loading takes more than twice as long (measured).
enableCompileCache();
// A killed gateway would not write the cache.
setTimeout(flushCompileCache, 2_000).unref();
await import('./thread.ts');
