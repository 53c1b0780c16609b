// The first module of the planning thread, in JavaScript as that of the gateway is.
import { enableCompileCache, flushCompileCache } from 'node:module';

// Each thread has to ask for the cache by itself: without it, loading takes more than twice as long (measured).
enableCompileCache();
// A gateway that is killed would not write it.
setTimeout(flushCompileCache, 2_000).unref();
await import('./thread.ts');
