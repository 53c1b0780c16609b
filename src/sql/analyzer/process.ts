import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lowerSession } from '../../priority.ts';
import { analyzerProgram } from './binary.ts';

export interface AnalyzerLimits {
  /** Address space of the analyzer, in MiB. Ten thousand cross joins took 13 GB without it (measured). */
  readonly memoryMb: number;
  /** Stack of each of its threads, in KiB. 8 MiB overflowed at 3,000 nested subqueries, 64 MiB did not (measured). */
  readonly stackKb: number;
}

const startTimeoutMs = 15_000;

/**
 * The limits are set by a shell that then becomes the analyzer. The watcher ends the analyzer when its
 * standard input closes, which the kernel does even when this process is killed: no orphan stays behind.
 */
const launchScript = `
ulimit -s "$STACK_KB" 2>/dev/null
ulimit -v "$MEMORY_KB" 2>/dev/null
exec 3<&0
( cat <&3; kill -KILL $$; rm -rf "$SOCKET_FOLDER" ) >/dev/null 2>&1 &
exec "$0" "$@" </dev/null 3<&-
`;

/** One running analyzer, listening on a Unix socket in a folder that only this user can enter. */
export class AnalyzerProcess {
  /** What a gRPC client dials. */
  readonly address: string;
  /** Resolves when the process has ended, for whatever reason, with that: `signal SIGKILL`, `code 1`. */
  readonly exited: Promise<string>;
  #child: ChildProcess;
  #folder: string;

  private constructor(child: ChildProcess, folder: string, address: string) {
    this.#child = child;
    this.#folder = folder;
    this.address = address;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
      child.once('error', (error) => resolve(error.message));
    });
    // Closing its input lets the watcher go, too.
    void this.exited.then(() => child.stdin?.destroy());
  }

  /**
   * Starts the program and waits until it listens: dialling earlier costs a back-off of a second (measured).
   *
   * @throws when it ends or says nothing within 15 s.
   */
  static async start(limits: AnalyzerLimits): Promise<AnalyzerProcess> {
    const program = analyzerProgram();
    const folder = await mkdtemp(path.join(tmpdir(), 'gateway-analyzer-'));
    const socket = `unix:${path.join(folder, 'socket')}`;
    const child = spawn('/bin/sh', ['-c', launchScript, program, socket, '0'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Its own process group and session: Ctrl-C in a terminal reaches the gateway, which then stops it in order.
      detached: true,
      env: {
        PATH: '/usr/bin:/bin',
        STACK_KB: String(limits.stackKb),
        MEMORY_KB: String(limits.memoryMb * 1024),
        SOCKET_FOLDER: folder,
      },
    });
    child.stdin?.on('error', () => {});
    if (child.pid !== undefined) lowerSession(child.pid);
    const started = new AnalyzerProcess(child, folder, `${socket}:0`);
    try {
      await listening(child, started.exited);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Ends the process at once and removes its socket. */
  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function listening(child: ChildProcess, exited: Promise<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The GoogleSQL analyzer did not start within ${startTimeoutMs} ms`)),
      startTimeoutMs,
    );
    const settle = (action: () => void) => {
      clearTimeout(timer);
      action();
    };
    child.once('error', (error) => settle(() => reject(error)));
    void exited.then(() => settle(() => reject(new Error('The GoogleSQL analyzer ended while starting'))));
    child.stdout?.on('data', (data: Buffer) => {
      if (data.includes('listening')) settle(resolve);
    });
  });
}
