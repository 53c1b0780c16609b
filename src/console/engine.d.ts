/** Engines of browsers have it or ignore it. Code that runs in Node.js, too, sets it. */
interface ErrorConstructor {
  stackTraceLimit: number;
}
