// In JavaScript: the first module would be stripped of its types anew at each start, for which Node loads a compiler. That was a tenth
// of the processor time of a start (measured).
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { compileCacheFolder } from '../base/system/compile-cache.js';

// The young generation would grow, and the process would take a hundred megabytes more under ordinary load. Simple requests cost about
// the same either way. Planning a caller's large query does on an idle machine, and costs up to 45 % more on a busy one (measured).
setFlagsFromString('--semi-space-growth-factor=1');

// Compiled modules, and their text without types, are kept between starts.
const compileCache = compileCacheFolder();
if (compileCache !== undefined) enableCompileCache(compileCache);
await import('./run-program.ts');
