import { Worker } from 'node:worker_threads';
import { type CollectorOrder, type CollectorReport, collectorReport } from './collector-order.ts';

/** Lets collectors send rows, in a thread of their own. Rejects when a batch is neither acknowledged nor refused. */
export function collect(order: CollectorOrder): Promise<CollectorReport> {
  const { promise, resolve, reject } = Promise.withResolvers<CollectorReport>();
  const worker = new Worker(new URL('./collector-worker.ts', import.meta.url), { workerData: order });
  worker.once('message', (report: unknown) => resolve(collectorReport.parse(report)));
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the collectors ended without a report')));
  return promise;
}
