import { systemClock } from '../../base/system/clock.ts';
import { isCode } from '../../base/system/is-code.ts';
import { serveStreams } from '../../tools/language-server/serve-streams.ts';

/**
 * Serves one editor over standard input and output, by the Language Server Protocol.
 *
 * @returns the exit code: 1 if the editor left without asking for a shutdown
 */
export function lspCommand(): Promise<number> {
  return serveStreams({
    input: process.stdin,
    output: process.stdout,
    environment: process.env,
    currentFolder: process.cwd(),
    clock: systemClock,
    isAlive,
  });
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // Another user's process can't be signalled.
    return isCode(error, 'EPERM');
  }
}
