import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '../../base/system/is-code.ts';
import { makeFolder } from '../../base/system/make-folder.ts';
import { writeNew } from '../../base/system/replace-file.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { isStored } from '../engines/registry.ts';

const fileName = 'cursor-secret';

/** The shortest secret, in characters. */
const minLength = 32;

type SecretSettings = Pick<Config, 'cursorSecret' | 'jwtSecret' | 'dataDir' | 'redisUrl' | 'engine'>;

/**
 * The secret of the cursors of pages: `CURSOR_SECRET`, or that of tokens, or a random one. It is kept in `DATA_DIR`, if there is a store. It isn't made of an
 * API key: who has a cursor could try short ones.
 */
export async function cursorSecret(config: SecretSettings, log: Pick<Log, 'warn'>): Promise<string> {
  const given = config.cursorSecret ?? config.jwtSecret;
  if (given !== undefined) return given;
  if (config.redisUrl !== undefined)
    log.warn(
      'CURSOR_SECRET is not set: gateways that share Redis refuse each other’s cursors of pages, unless they share DATA_DIR',
    );
  // A gateway without a store has no folder of its own.
  if (!isStored(config)) return newSecret();
  try {
    return await keptSecret(config.dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn(
      `The secret of cursors can't be kept in DATA_DIR: ${reason}. Cursors of pages end with this run, unless CURSOR_SECRET is set`,
    );
    return newSecret();
  }
}

/** The secret in a folder, which is made if there is none. Of several processes that do so, all get the same. */
async function keptSecret(folder: string): Promise<string> {
  const file = join(folder, fileName);
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  await makeFolder(folder);
  const own = `${file}.${randomUUID()}`;
  try {
    await writeNew(own, async (to) => {
      await to.writeFile(newSecret());
      await to.sync();
    });
    await link(own, file).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(own, { force: true });
  }
  const secret = await readSecret(file);
  if (secret === undefined) throw new Error(`${file} has vanished`);
  return secret;
}

/** Undefined if there is no such file. */
async function readSecret(file: string): Promise<string | undefined> {
  const secret = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (secret === undefined || secret.length >= minLength) return secret;
  throw new Error(`${file} has less than ${minLength} characters`);
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
