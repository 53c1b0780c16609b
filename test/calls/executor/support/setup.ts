import { readConfig } from '../../../../src/app/engines/registry.ts';
import type { Payer } from '../../../../src/calls/access/caller/caller.ts';
import { cacheMemory, type ExecutorParts } from '../../../../src/calls/executor/create-executor.ts';
import type { ExecutorMeter } from '../../../../src/calls/executor/meter.ts';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import type { Config } from '../../../../src/definitions/settings/config.ts';
import { memoryBudgets } from '../../../../src/definitions/settings/memory-budgets.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { callOf } from '../../../support/call-of.ts';
import { localExecutor } from '../../../support/local-executor.ts';
import { endpointWith } from './endpoint.ts';
import { FakeEngine } from './fake-engine.ts';
import { ManualClock } from './manual-clock.ts';

export interface SetUpParts extends Partial<Omit<ExecutorParts, 'settings'>> {
  readonly settings?: Partial<Config>;
}

/** An executor with an engine and a clock in the test's hand. */
export function setUp({ settings: given, ...parts }: SetUpParts = {}) {
  const engine = new FakeEngine();
  const clock = new ManualClock();
  const counted: string[] = [];
  const meter: ExecutorMeter = {
    engineRun: (endpoint, outcome, _seconds, { cost } = {}) =>
      counted.push(`run ${endpoint} ${outcome}${cost ? ` ${cost.bytesBilled}` : ''}`),
    cacheRequest: (endpoint, status) => counted.push(`cache ${endpoint} ${status}`),
    collapsed: (endpoint) => counted.push(`collapsed ${endpoint}`),
    allowanceSpent: (kind, of) => counted.push(`spent ${kind} ${of}`),
    warmRun: (endpoint, outcome) => counted.push(`warm ${endpoint} ${outcome}`),
  };
  const settings = { ...readConfig({}), ...given };
  const memory = cacheMemory(memoryBudgets(settings));
  const executor = localExecutor({ engine, memory, clock, meter, ...parts, settings });

  /** Asks for an endpoint, in the name of a caller who leaves when the signal is aborted. */
  function ask(
    endpoint: Endpoint = endpointWith(),
    given: Readonly<Record<string, Value>> = { project: 'a' },
    signal: AbortSignal = new AbortController().signal,
    payer?: Payer,
  ) {
    const parameters = new Map(Object.entries(given));
    const call = callOf({ endpoint, parameters, ...(payer && { payer }) });
    return executor.execute(call, { signal });
  }

  return { executor, ...memory, engine, clock, counted, ask };
}
