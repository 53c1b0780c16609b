import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Clock } from '../system/clock.ts';
import { lowerSession } from '../system/priority.ts';
import { removePrivateFolder } from './private-folder.ts';
import { startProcess } from './start-process.ts';

/** A program to start. */
export interface Program {
  /** Its name in messages, as in `The SQL analyzer`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly limits?: ProgramLimits;
  /** The text on standard output that marks the program as ready. Without it, the program is ready once started. */
  readonly sign?: { readonly text: string; readonly withinMs: number };
  /** Whether the reason for its end includes the last of its standard error: see `hideErrors`. */
  readonly includesStderr?: boolean;
  /** Gets what it writes to standard output. By default, that is dropped. */
  readonly onOutput?: (data: Buffer) => void;
}

/** Limits that the kernel enforces where it supports them. macOS can't limit the address space. */
export interface ProgramLimits {
  /** Stack of each thread, in KiB. */
  readonly stackKb?: number;
  /** Address space, in MiB. */
  readonly addressSpaceMb?: number;
  /** Size of each file that it writes, in MiB. */
  readonly fileSizeMb?: number;
}

/** A shell sets the limits, waits for the message that the watcher runs, and becomes the program. */
const launchScript = `
[ -z "$1" ] || ulimit -s "$1" 2>/dev/null
[ -z "$2" ] || ulimit -v "$2" 2>/dev/null
[ -z "$3" ] || ulimit -f "$3" 2>/dev/null
shift 3
read -r word || exit 1
exec "$0" "$@" </dev/null
`;

/**
 * Its input ends when this process is gone, even after `kill -9`, so that no orphan remains. The watcher is a child of
 * this process and has no children until then: in a container where this process is the first, nobody would reap them.
 */
const watchScript = 'read -r word; kill -s KILL -- "-$1"; rm -rf "$2"';

/** Characters of standard error that are retained. */
const maxStderrLength = 2_000;

/** A child process in its own session. It ends with this process, however this process ends. */
export class Child {
  readonly pid: number;
  /** Resolves once nothing of the process is left, with the reason: `signal SIGKILL`, `code 1`, or the one passed to `end`. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  #reason: string | undefined;
  #tellsErrors = true;

  private constructor(child: ChildProcess, pid: number, watcher: ChildProcess, folder: string) {
    this.pid = pid;
    this.#child = child;
    const errors = textTail(child.stderr);
    // A process without a watcher must not continue.
    const unwatched = ended(watcher).then(() => child.kill('SIGKILL'));
    this.exited = ended(child).then(async (ending) => {
      watcher.kill('SIGKILL');
      await unwatched;
      await removePrivateFolder(folder);
      return this.#reason ?? [ending, ...(this.#tellsErrors ? errors() : [])].join(': ');
    });
  }

  /**
   * Starts a program and waits until it is ready. The program gets neither this process's environment nor Ctrl-C from
   * its terminal.
   *
   * @param folder a private folder, now owned by the child and removed when it ends
   * @throws if it can't be started, ends, or isn't ready in time; nothing of it is left then
   */
  static async start(program: Program, folder: string, clock: Clock): Promise<Child> {
    const { stackKb, addressSpaceMb, fileSizeMb } = program.limits ?? {};
    // Shells count files in blocks of 512 bytes.
    const limits = [stackKb, addressSpaceMb && addressSpaceMb * 1024, fileSizeMb && fileSizeMb * 2048];
    const limitTexts = limits.map((limit) => String(limit ?? ''));
    const launcher = ['-c', launchScript, program.command, ...limitTexts, ...program.args];
    const errors = program.includesStderr ? 'pipe' : 'ignore';
    const child = startProcess('/bin/sh', launcher, ['pipe', 'pipe', errors]);
    child.stdin?.on('error', () => {});
    if (program.onOutput !== undefined) child.stdout?.on('data', program.onOutput);
    const { pid } = child;
    if (pid === undefined) {
      const [error] = await once(child, 'error');
      await removePrivateFolder(folder);
      throw error;
    }
    lowerSession(pid);
    const watched = ['-c', watchScript, 'watcher', String(pid), folder];
    const watcher = startProcess('/bin/sh', watched, ['pipe', 'ignore', 'ignore']);
    watcher.stdin?.on('error', () => {});
    child.stdin?.end(watcher.pid === undefined ? '' : 'go\n');
    const started = new Child(child, pid, watcher, folder);
    try {
      await started.#isReady(program, clock);
    } catch (error) {
      await started.end('it was not ready');
      throw error;
    }
    return started;
  }

  /** Kills it, even when it is stopped or hangs, and waits until nothing of it is left. The first reason counts. */
  async end(reason: string): Promise<void> {
    this.#reason ??= reason;
    this.#killAll();
    await this.exited;
  }

  /** Excludes standard error from the reason from now on: it may contain callers' data, which no log may contain. */
  hideErrors(): void {
    this.#tellsErrors = false;
  }

  /** Kills the processes that it has started, too: all of them are in its session. */
  #killAll(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended, or could not be started.
      this.#child.kill('SIGKILL');
    }
  }

  #isReady({ name, sign }: Program, clock: Clock): Promise<void> {
    const { stdout } = this.#child;
    // A full pipe would block the program.
    stdout?.resume();
    if (sign === undefined) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (what: string) => reject(new Error(`${name} ${what}`));
    const timer = clock.after(sign.withinMs, () => fail(`did not start within ${sign.withinMs} ms`));
    void this.exited.then((reason) => fail(`ended while starting: ${reason}`));
    let output = '';
    const onData = (data: Buffer) => {
      output += data;
      if (output.includes(sign.text)) resolve();
    };
    stdout?.on('data', onData);
    return promise.finally(() => {
      timer.cancel();
      stdout?.off('data', onData);
      stdout?.resume();
    });
  }
}

/** Resolves when a process has ended or could not be started, and its output has been read. */
function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
  });
}

/** Reads a whole stream, and returns its last characters, if any. */
function textTail(stream: Readable | null): () => string[] {
  let last = '';
  stream?.on('data', (data: Buffer) => {
    last = (last + data).slice(-maxStderrLength);
  });
  return () => [last.trim()].filter(Boolean);
}
