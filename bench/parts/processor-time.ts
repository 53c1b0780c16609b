import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Answers `processorTime` in the process of a server. */
export function tellProcessorTime(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1000);
  });
}

/** Milliseconds of processor time that a server's process has used so far. */
export async function processorTime(server: ChildProcess): Promise<number> {
  server.send('processor time');
  const [milliseconds] = (await once(server, 'message')) as [number];
  return milliseconds;
}
