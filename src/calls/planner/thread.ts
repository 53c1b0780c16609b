import { parentPort, workerData } from 'node:worker_threads';
import { lowerThisThread } from '../../base/system/priority.ts';
import type { PlannedText } from '../../definitions/endpoints/plan-text.ts';
import { packError } from '../../engines/wire/packed-error.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { AnalyzerSettings } from '../../sql/analyzer/settings.ts';
import type { PlannedQuery } from '../sandbox/plan-ad-hoc-query.ts';
import { LocalPlanner } from './local-planner.ts';
import type { Order, Report } from './messages.ts';
import type { Planner } from './planner.ts';

// The planning thread. It owns the analyzer's process, which ends with it.
const report = (content: Report, transferred: ArrayBuffer[] = []) =>
  parentPort?.postMessage(content, transferred);

const started = Analyzer.start(workerData as AnalyzerSettings, (message, fields) =>
  report({ kind: 'warning', message, fields }),
);
const planner = started.then((analyzer) => new LocalPlanner(analyzer));

const inFlight = new Map<number, AbortController>();

parentPort?.on('message', async (order: Order) => {
  if (order.kind === 'end') {
    await started.then((analyzer) => analyzer.close()).catch(() => {});
    // Nobody waits for unanswered calls any more.
    process.exit();
  }
  if (order.kind === 'cancel') {
    inFlight.get(order.id)?.abort();
    report({ kind: 'cancelling', id: order.id });
    return;
  }
  const { id, method, args } = order;
  const controller = new AbortController();
  inFlight.set(id, controller);
  try {
    const answer = await call(await planner, method, [...args, controller.signal]);
    report({ kind: 'answer', id, answer }, bytesOfPlans(answer));
  } catch (error) {
    report({ kind: 'error', id, error: packError(error) });
  } finally {
    inFlight.delete(id);
  }
});

/** Makes a call of the other side, which is of the same package. */
function call(planner: Planner, method: keyof Planner, args: readonly unknown[]): Promise<unknown> {
  return (planner[method] as (...args: readonly unknown[]) => Promise<unknown>).apply(planner, [...args]);
}

/** The bytes of the plans in an answer, which are transferred without a copy. */
function bytesOfPlans(answer: unknown): ArrayBuffer[] {
  const { plan, tables = [] } = answer as Pick<Partial<PlannedQuery>, 'plan'> & {
    readonly tables?: PlannedText['tables'] | PlannedQuery['tables'];
  };
  const plans = [...tables].map((table) => (typeof table === 'string' ? undefined : table.plan));
  return [plan, ...plans].flatMap((each) => (each === undefined ? [] : [each.packed.buffer as ArrayBuffer]));
}

planner.then(
  () => {
    // The gateway's start waits for this thread. From now on, the event loop takes precedence.
    lowerThisThread();
    report({ kind: 'ready' });
  },
  (error) => {
    report({ kind: 'failed', error: packError(error) });
  },
);
