import { parentPort, workerData } from 'node:worker_threads';
import { Answerer } from '../../base/channel/answerer.ts';
import { moving, portTransport } from '../../base/channel/port-transport.ts';
import { lowerThisThread } from '../../base/system/priority.ts';
import { cancelledCall, packError } from '../../engines/wire/packed-error.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { AnalyzerSettings } from '../../sql/analyzer/settings.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { LocalPlanner } from './local-planner.ts';
import type { PlanningCalls, PlanningWarning } from './planning-calls.ts';

// The planning thread. It owns the analyzer's process, which ends with it.
if (parentPort === null) throw new TypeError('This module is that of a thread');
const started = Analyzer.start(workerData as AnalyzerSettings, (message, fields) =>
  answerer.tell({ message, fields }),
);
const planner = started.then((analyzer) => new LocalPlanner(analyzer));
// Calls may come later.
planner.catch(() => {});
const calls: PlanningCalls = {
  async start() {
    await planner;
    // The gateway's start waits for this thread. From now on, the event loop takes precedence.
    lowerThisThread();
  },
  async ping() {},
  async end() {
    await started.then((analyzer) => analyzer.close()).catch(() => {});
    // Nobody waits for unanswered calls any more.
    process.exit();
  },
  async planText(...text) {
    const planned = await (await planner).planText(...text);
    return movingPlans(planned, planned.plan, ...planned.tables.map(({ plan }) => plan));
  },
  async planAdHocQuery(...text) {
    const planned = await (await planner).planAdHocQuery(...text);
    return movingPlans(planned, planned.plan);
  },
  async planPage(...page) {
    const plan = await (await planner).planPage(...page);
    return movingPlans(plan, plan);
  },
  prepareText: async (...plan) => (await planner).prepareText(...plan),
  listFunctions: async () => (await planner).listFunctions(),
  functionSignatures: async () => (await planner).functionSignatures(),
};
const answerer = new Answerer<PlanningCalls, PlanningWarning>(portTransport(parentPort), calls, {
  packError,
  cancelled: cancelledCall,
});

/** Moves the bytes of plans to the gateway's thread without a copy. */
function movingPlans<Answer extends object>(answer: Answer, ...plans: readonly (Plan | undefined)[]): Answer {
  return moving(
    answer,
    plans.flatMap((plan) => (plan === undefined ? [] : [plan.packed.buffer as ArrayBuffer])),
  );
}
