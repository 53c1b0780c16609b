import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@keyv/redis';
import { freePort, type TestRedis } from './redis.ts';

/** A sentinel of a test's own, which calls what it watches `main`. */
export class TestSentinel {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(port: number, folder: string, process: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#process = process;
  }

  /** One that watches a primary and its replicas, and needs another one to agree before it acts. */
  static async of(primary: TestRedis): Promise<TestSentinel> {
    const [port, folder] = [await freePort(), await mkdtemp(path.join(tmpdir(), 'sentinel-'))];
    const file = path.join(folder, 'sentinel.conf');
    const lines = [
      ...['bind 127.0.0.1', `port ${port}`, `dir ${folder}`],
      ...[`sentinel monitor main 127.0.0.1 ${primary.port} 2`, 'sentinel down-after-milliseconds main 500'],
      'sentinel failover-timeout main 3000',
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const started = spawn('redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    for await (const chunk of started.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += chunk;
      if (output.includes('+monitor')) {
        started.stdout.resume();
        return new TestSentinel(port, folder, started);
      }
    }
    throw new Error(`the sentinel doesn't start:\n${output}`);
  }

  /** Asks it something over a connection of its own. */
  async command(...words: readonly string[]): Promise<unknown> {
    const client = createClient({ RESP: 2, url: `redis://127.0.0.1:${this.port}`, disableClientInfo: true });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.sendCommand([...words]);
    } finally {
      client.destroy();
    }
  }

  async remove(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGKILL');
      await once(this.#process, 'exit');
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
