import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { program } from '../../support/program.ts';

export type Environment = Readonly<Record<string, string>>;

/** How a command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where all of them find compiled modules: a third of what a short command computes is compiling (measured). */
const compileCache = resolve('node_modules/.cache/node-compile-cache');

/** A command of the gateway that runs as a process of its own. */
export class Command {
  readonly #child: ChildProcess;
  readonly outcome: Promise<Outcome>;
  stdout = '';
  stderr = '';
  #ended = false;
  #onOutput = () => {};

  private constructor(program: string, args: readonly string[], environment: Environment, cwd?: string) {
    const { PATH = '', HOME = '' } = process.env;
    // Nothing else of this process's environment: settings of a developer's own must not leak in.
    this.#child = spawn(program, args, {
      env: { PATH, HOME, NODE_COMPILE_CACHE: compileCache, ENV_FILE: '/dev/null', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd,
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#onOutput();
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.outcome = new Promise((settle, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => {
        this.#ended = true;
        this.#onOutput();
        settle({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  /** `gateway <args>`, as its own process. */
  static gateway(args: readonly string[], environment: Environment, cwd?: string): Command {
    return new Command(resolve('node_modules/.bin/node'), [program, ...args], environment, cwd);
  }

  /** `npm <args>`. */
  static npm(args: readonly string[], environment: Environment): Command {
    return new Command('npm', args, environment);
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  /** Waits until standard output matches. Fails with what was written when the command ends before. */
  async output(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match !== null) return match;
      if (this.#ended) throw new Error(`it ended without ${pattern}:\n${this.stdout}${this.stderr}`);
      await new Promise<void>((settle) => {
        this.#onOutput = settle;
      });
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
    this.#child.kill(signal);
    return this.outcome;
  }
}
