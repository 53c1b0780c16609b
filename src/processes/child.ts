import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { lowerSession } from '../system/priority.ts';

/** A program, and how it is started. */
export interface Program {
  /** What messages call it, as in `The SQL analyzer`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** All of its environment but `PATH`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: ProgramLimits;
  /** What its standard output says once it is ready. A program without it is ready when it was started. */
  readonly sign?: { readonly text: string; readonly withinMs: number };
  /** Whether the end of what it writes to standard error is part of the reason when it ends: see `hideErrors`. */
  readonly tellsErrors?: boolean;
}

/** Limits that the kernel keeps, where it knows them: macOS has none for the address space. */
export interface ProgramLimits {
  /** Stack of each thread, in KiB. */
  readonly stackKb?: number;
  /** Address space, in MiB. */
  readonly addressSpaceMb?: number;
}

/** A shell sets the limits, waits for the word that the watcher is there, and becomes the program. */
const launchScript = `
[ -z "$1" ] || ulimit -s "$1" 2>/dev/null
[ -z "$2" ] || ulimit -v "$2" 2>/dev/null
shift 2
read -r word || exit 1
exec "$0" "$@" </dev/null
`;

/**
 * Its input ends when this process is gone, even after `kill -9`: no orphan stays behind. It is a child of this process and has
 * none of its own until then, so that nothing is left unreaped where this process is the first one of a container.
 */
const watchScript = 'read -r word; kill -KILL "$1"; rm -rf "$2"';

/** How much of the end of standard error is kept, in characters. */
const errorsKept = 2_000;

/** A running program in a session of its own. It ends with this process, however this process ends. */
export class Child {
  readonly pid: number;
  /** Resolves with what ended it, when nothing of it is left: `signal SIGKILL`, `code 1`, or the reason that `end` was given. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;
  #reason: string | undefined;
  #tellsErrors = true;

  private constructor(child: ChildProcess, pid: number, watcher: ChildProcess, folder: string) {
    this.pid = pid;
    this.#child = child;
    const errors = endOfText(child.stderr);
    // Without its watcher it may not go on.
    const unwatched = ended(watcher).then(() => child.kill('SIGKILL'));
    this.exited = ended(child).then(async (ending) => {
      watcher.kill('SIGKILL');
      await unwatched;
      await rm(folder, { recursive: true, force: true });
      return this.#reason ?? [ending, ...(this.#tellsErrors ? errors() : [])].join(': ');
    });
  }

  /**
   * Starts a program, and waits for its sign of readiness. It gets neither this process's environment nor Ctrl-C in its terminal.
   *
   * @param folder a private folder, which is the child's from now on and removed when it has ended
   * @throws when it can't be started, ends, or gives no sign in time; nothing of it is left then
   */
  static async start(program: Program, folder: string, clock: Clock): Promise<Child> {
    const { stackKb, addressSpaceMb } = program.limits ?? {};
    const limits = [stackKb, addressSpaceMb && addressSpaceMb * 1024].map((limit) => String(limit ?? ''));
    const child = spawn('/bin/sh', ['-c', launchScript, program.command, ...limits, ...program.args], {
      stdio: ['pipe', 'pipe', program.tellsErrors ? 'pipe' : 'ignore'],
      detached: true,
      env: { PATH: '/usr/bin:/bin', ...program.env },
    });
    child.stdin?.on('error', () => {});
    const { pid } = child;
    if (pid === undefined) {
      const [error] = await once(child, 'error');
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    lowerSession(pid);
    const watcher = spawn('/bin/sh', ['-c', watchScript, 'watcher', String(pid), folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
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

  /** Ends it at once, also one that is stopped or hangs, and waits until nothing of it is left. The first reason counts. */
  async end(reason: string): Promise<void> {
    this.#reason ??= reason;
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** From now on what it writes to standard error is no part of the reason: it may hold what callers send, which no log may. */
  hideErrors(): void {
    this.#tellsErrors = false;
  }

  #isReady({ name, sign }: Program, clock: Clock): Promise<void> {
    const { stdout } = this.#child;
    // What nobody reads would stop the program that writes it.
    stdout?.resume();
    if (sign === undefined) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (what: string) => reject(new Error(`${name} ${what}`));
    const timer = clock.after(sign.withinMs, () => fail(`did not start within ${sign.withinMs} ms`));
    void this.exited.then((reason) => fail(`ended while starting: ${reason}`));
    let said = '';
    const listen = (data: Buffer) => {
      said += data;
      if (said.includes(sign.text)) resolve();
    };
    stdout?.on('data', listen);
    return promise.finally(() => {
      timer.cancel();
      stdout?.off('data', listen);
      stdout?.resume();
    });
  }
}

/** Resolves when a process has ended, or couldn't be started, and what it wrote was read. */
function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`));
  });
}

/** Reads all of a text, and gives the end of it, if there is any. */
function endOfText(stream: Readable | null): () => string[] {
  let last = '';
  stream?.on('data', (data: Buffer) => {
    last = (last + data).slice(-errorsKept);
  });
  return () => [last.trim()].filter(Boolean);
}
