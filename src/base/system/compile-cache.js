// @ts-check
// In JavaScript: the first module of the program uses it. See src/cli/main.js.
import { homedir } from 'node:os';
import path from 'node:path';
import { makeIfMissing, privateFolder } from './private-folder.js';

/**
 * Where Node keeps compiled modules, for this process and those that it starts: the folder that `NODE_COMPILE_CACHE` names, or one
 * of this user's own. Node runs what it finds there. Its default is a folder in `TMPDIR` that any user could make.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {string} home the folder of this user
 * @returns {string | undefined} undefined if there is no folder that other users can't write to, or there is to be none
 */
export function compileCacheFolder(environment = process.env, home = homedir()) {
  if (environment.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (environment.NODE_COMPILE_CACHE) return environment.NODE_COMPILE_CACHE;
  const { XDG_CACHE_HOME: given = '' } = environment;
  // As the XDG Base Directory Specification says: relative paths are ignored.
  const caches = path.isAbsolute(given) ? given : path.join(home, '.cache');
  try {
    makeIfMissing(caches);
  } catch {
    return undefined;
  }
  return privateFolder(path.join(caches, 'endpoint-gateway'));
}
