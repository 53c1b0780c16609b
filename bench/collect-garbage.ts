/** For `--import` together with `--expose-gc`: the process collects its garbage on SIGUSR2. */
process.on('SIGUSR2', () => globalThis.gc?.());
