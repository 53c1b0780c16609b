import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

/** What the worker is asked to do; it answers with the milliseconds that each request took. */
const requestOrder = z.object({
  url: z.string(),
  key: z.string(),
  count: z.int().positive(),
});

export type RequestOrder = z.infer<typeof requestOrder>;

/** Sends requests one after the other on one connection, in a thread of its own. */
async function sendRequests({ url, key, count }: RequestOrder): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const start = performance.now();
    await send(url, key, agent);
    times.push(performance.now() - start);
  }
  agent.destroy();
  return times;
}

function send(url: string, key: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { 'x-api-key': key } }, (answer) => {
      answer.on('data', () => undefined);
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`the gateway answered ${answer.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

parentPort?.postMessage(await sendRequests(requestOrder.parse(workerData)));
