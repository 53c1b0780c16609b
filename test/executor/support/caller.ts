import type { ExecutorCaller } from '../../../src/executor/executor.ts';

/** A caller whose key has this name. */
export function callerNamed(key: string, others: Partial<ExecutorCaller> = {}): ExecutorCaller {
  return { key, account: { key: `key ${key}`, subject: '' }, ...others };
}
