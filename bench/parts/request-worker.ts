import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

/** The worker's task. */
const requestOrder = z.object({
  url: z.string(),
  key: z.string(),
  count: z.int().positive(),
});

export type RequestOrder = z.infer<typeof requestOrder>;

/** The results. All responses had status 200. */
export const requestReport = z.object({
  /** The duration of each request in milliseconds. */
  times: z.array(z.number()),
  /** The different bodies of the responses. */
  bodies: z.array(z.string()),
});

/** Sends requests one after the other on one connection, in a worker thread. */
async function sendRequests({ url, key, count }: RequestOrder): Promise<z.infer<typeof requestReport>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const bodies = new Set<string>();
  for (let sent = 0; sent < count; sent += 1) {
    const start = performance.now();
    const pieces = await send(url, key, agent);
    times.push(performance.now() - start);
    bodies.add(Buffer.concat(pieces).toString());
  }
  agent.destroy();
  return { times, bodies: [...bodies] };
}

function send(url: string, key: string, agent: Agent): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': key } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(pieces);
        else reject(new Error(`the gateway answered ${answer.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

parentPort?.postMessage(await sendRequests(requestOrder.parse(workerData)));
