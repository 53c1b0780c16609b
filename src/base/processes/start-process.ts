import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.ts';

/** Starts a program in a session of its own, with the environment of all children. Its errors are events, as those of `spawn`. */
export function startProcess(command: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  return spawn(command, args, { stdio, detached: true, env: childEnvironment() });
}

/**
 * What a program writes to its standard output.
 *
 * @throws if it can't be started, or fails
 */
export async function outputOf(command: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(command, args, { env: childEnvironment() })).stdout;
}

interface ProgramLimits {
  /** Variables besides those of all children. */
  readonly environment: Readonly<Record<string, string>>;
  /** The most that it may write. */
  readonly maxBytes: number;
}

/**
 * As {@link outputOf}, for a program whose output need not be text.
 *
 * @throws if it can't be started, fails, or writes more; with `code` and `stderr`
 */
export async function bytesOf(
  command: string,
  args: readonly string[],
  { environment, maxBytes }: ProgramLimits,
): Promise<Buffer> {
  const env = { ...childEnvironment(), ...environment };
  return (await promisify(execFile)(command, args, { env, maxBuffer: maxBytes, encoding: 'buffer' })).stdout;
}
