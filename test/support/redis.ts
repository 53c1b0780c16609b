import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type RedisClientType } from '@keyv/redis';
import { describe } from 'vitest';

/** Tests with a real Redis: skipped where it isn't installed, except by CI, where they fail then. */
export const describeWithRedis = hasRedis() || process.env.CI === 'true' ? describe : describe.skip;

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  return address.port;
}

/** A Redis of a test's own, to which things can happen. It keeps nothing on disk. */
export class TestRedis {
  readonly port: number;
  /** What it wants to hear, as the tests have set it. */
  password: string | undefined;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.#folder = folder;
  }

  static async start(): Promise<TestRedis> {
    const redis = await TestRedis.absent();
    await redis.start();
    return redis;
  }

  /** One that doesn't run yet. */
  static async absent(): Promise<TestRedis> {
    return new TestRedis(await freePort(), await mkdtemp(path.join(tmpdir(), 'redis-')));
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it, empty, and waits until it answers. */
  async start(...settings: readonly string[]): Promise<void> {
    const plain = [
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--enable-debug-command',
      'yes',
      '--repl-diskless-sync-delay',
      '0',
    ];
    const args = ['--port', String(this.port), '--dir', this.#folder, ...plain, ...settings];
    const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = started;
    let output = '';
    for await (const chunk of started.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += chunk;
      if (output.includes('Ready to accept connections')) {
        started.stdout.resume();
        return;
      }
    }
    throw new Error(`Redis doesn't start:\n${output}`);
  }

  /** Makes it a replica of another one. Its connections stay open. */
  async replicate({ port }: TestRedis): Promise<void> {
    await this.command('REPLICAOF', '127.0.0.1', String(port));
  }

  /** Stops it from doing anything, its connections left open. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  /** Asks it something over a connection of its own. */
  async ask<T>(question: (client: RedisClientType) => Promise<T>): Promise<T> {
    const client: RedisClientType = createClient({
      RESP: 2,
      url: this.url,
      ...(this.password !== undefined && { password: this.password }),
      socket: { reconnectStrategy: false },
    });
    client.on('error', () => {});
    await client.connect();
    try {
      return await question(client);
    } finally {
      client.destroy();
    }
  }

  command(...words: readonly string[]): Promise<unknown> {
    return this.ask((client) => client.sendCommand([...words]));
  }

  /** From now on it takes this password only; an empty one stands for none. */
  async setPassword(password: string): Promise<void> {
    await this.command('CONFIG', 'SET', 'requirepass', password);
    this.password = password || undefined;
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
