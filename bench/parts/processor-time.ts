import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Answers `processorTime` messages in a server's process. */
export function answerProcessorTime(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1000);
  });
}

/** The processor time of a server's process so far, in milliseconds. */
export async function processorTime(server: ChildProcess): Promise<number> {
  server.send('processor time');
  const [milliseconds] = (await once(server, 'message')) as [number];
  return milliseconds;
}
