import { tmpdir } from 'node:os';
import { compileCacheFolder } from '../system/compile-cache.js';

/**
 * The whole environment of every process and thread that the gateway starts. Nothing of the gateway's own reaches them: no
 * setting, no secret, and no variable such as `LD_PRELOAD` or `NODE_OPTIONS` with which others choose what runs.
 */
export function childEnvironment(): Record<string, string> {
  const compileCache = compileCacheFolder();
  return {
    PATH: '/usr/bin:/bin',
    TMPDIR: tmpdir(),
    ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
  };
}
