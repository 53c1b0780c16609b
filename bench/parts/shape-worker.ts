import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { prove } from '../proof.ts';
import { bodyOf, bodyShapes } from './body-shapes.ts';
import { type ShapeOrder, type ShapeReport, shapeOrder } from './shape-order.ts';

/** Sends bodies of a shape one after the other. */
async function send({ port, key, shape: what, seconds }: ShapeOrder): Promise<ShapeReport> {
  const shape = bodyShapes.find((each) => each.what === what);
  prove(shape !== undefined, `there is no shape ${what}`);
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let number = 0; number === 0 || performance.now() < end; number++) {
    const { bytes, encoding } = bodyOf(shape, number, Date.now());
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/api/logs?source=${shape.source}&partial=true`, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json', 'Content-Encoding': encoding },
      body: bytes,
    });
    const text = await response.text();
    prove(response.ok, `a body was answered ${response.status}: ${text.slice(0, 300)}`);
    const { rejectedCount = 0 } = JSON.parse(text) as { readonly rejectedCount?: number };
    prove(
      rejectedCount === (shape.rejected ?? 0),
      `${rejectedCount} events were rejected: ${text.slice(0, 300)}`,
    );
    times.push(performance.now() - began);
  }
  return { times };
}

// The sender has another machine: its work is not to take the gateway's processors.
if (process.platform === 'linux') setPriority(0, 19);
parentPort?.postMessage(await send(shapeOrder.parse(workerData)));
