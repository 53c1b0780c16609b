// In JavaScript: the first module would be stripped of its types anew at each start, for which Node loads a compiler. That was a tenth
// of the processor time of a start (measured).
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// The stored queries' trees, which stay, teach V8 to put all that is made by the same code into the old space at once, and those of
// callers' queries, which don't stay, would fill that. Without it, a third more of them are analyzed in the same time (measured).
setFlagsFromString('--no-allocation-site-pretenuring');
// What was made just now would get a hundred megabytes, which ordinary load fills with garbage. With what it has in the beginning, as
// many requests are answered, and as many rows imported (measured).
setFlagsFromString('--semi-space-growth-factor=1');

// Compiled modules, and their text without types, are kept between starts.
enableCompileCache();
await import('./program.ts');
