import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../parts/start-up.ts';

/** A Redis that keeps nothing on disk, and is stopped when this is disposed. */
export interface StartedRedis extends AsyncDisposable {
  readonly url: string;
}

/**
 * The version of the installed Redis.
 *
 * @throws Error if `redis-server` isn't installed
 */
export async function redisVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)('redis-server', ['--version']).catch((error: unknown) => {
    throw new Error('redis-server could not be run: install Redis', { cause: error });
  });
  return /v=(\S+)/.exec(stdout)?.[1] ?? stdout.trim();
}

/** Starts a Redis and waits until it accepts connections. */
export async function startRedis(): Promise<StartedRedis> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const args = [
    '--port',
    String(port),
    '--dir',
    folder,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = async () => {
    if (redis.exitCode === null && redis.signalCode === null) {
      redis.kill('SIGKILL');
      await once(redis, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  let output = '';
  for await (const piece of redis.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += piece;
    if (!output.includes('Ready to accept connections')) continue;
    redis.stdout.resume();
    return { url: `redis://127.0.0.1:${port}`, [Symbol.asyncDispose]: end };
  }
  await end();
  throw new Error(`Redis did not start:\n${output}`);
}
