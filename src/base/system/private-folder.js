// @ts-check
// In JavaScript: the first module of the program uses it. See src/cli/main.js.
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

const writableByOthers = 0o022;
const sticky = 0o1000;
const accessibleToOthers = 0o077;

/**
 * The real path of a folder in which only this user can read and write: it belongs to this user, has mode 0700, and is no symbolic
 * link, and nobody else can replace it or a folder above it. It is made if it is missing; the folder above it must be there.
 *
 * @param {string} folder an absolute path
 * @returns {string | undefined} undefined if it can't be made, or isn't private
 */
export function privateFolder(folder) {
  try {
    const above = realpathSync(path.dirname(folder));
    if (!isSafeFromOthers(above)) return undefined;
    const own = path.join(above, path.basename(folder));
    makeIfMissing(own);
    const { uid, mode } = statOfFolder(own);
    return uid === process.getuid?.() && (mode & accessibleToOthers) === 0 ? own : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether only this user and root can replace a folder, or what is in it: both own all folders on the way, and others can't
 * write to them. In a folder with the sticky bit, such as `/tmp`, they can't replace what they don't own.
 *
 * @param {string} folder a real path
 * @returns {boolean}
 * @throws errors of the file system
 */
function isSafeFromOthers(folder) {
  const { uid, mode } = statOfFolder(folder);
  const isOwned = uid === 0 || uid === process.getuid?.();
  if (!isOwned || ((mode & writableByOthers) !== 0 && (mode & sticky) === 0)) return false;
  const above = path.dirname(folder);
  return above === folder || isSafeFromOthers(above);
}

/** @param {string} folder */
function statOfFolder(folder) {
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} is not a folder`);
  return stats;
}

/** @param {string} folder */
export function makeIfMissing(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
