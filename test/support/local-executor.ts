import { createExecutor, type ExecutorParts } from '../../src/calls/executor/create-executor.ts';
import type { ExecutorMeter } from '../../src/calls/executor/meter.ts';

/** Ignores all events. */
export const noMeter: ExecutorMeter = {
  engineRun: () => {},
  cacheRequest: () => {},
  collapsed: () => {},
  allowanceSpent: () => {},
  warmRun: () => {},
};

type OwnParts = Partial<Pick<ExecutorParts, 'meter' | 'sharedStore' | 'wrapStore'>>;

/** An executor that shares nothing with other replicas. */
export function localExecutor(parts: Omit<ExecutorParts, keyof OwnParts> & OwnParts) {
  return createExecutor({ meter: noMeter, sharedStore: undefined, wrapStore: (store) => store, ...parts });
}
