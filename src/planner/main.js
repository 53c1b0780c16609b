// The first module of the planning thread, in JavaScript as that of the gateway is.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./thread.ts');
