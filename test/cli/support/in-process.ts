import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import { CapturedOutput } from './captured-output.ts';

/** Runs a command in this process: for those that write with their tools, which is far cheaper than a process. */
export async function inProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const output = new CapturedOutput();
  const ofProcess = { shareFiles: () => undefined, lowerPriority: () => undefined };
  const code = await runCommandLine(args, { output, environment, ...ofProcess });
  return { code, stdout: output.stdout, stderr: output.stderr };
}
