import type { Cost } from '../../engines/engine/engine.ts';
import type { CacheFacts } from './executor.ts';

/** Receives the executor's events, for metrics. They contain names of endpoints, never parameters. */
export interface ExecutorMeter {
  /** A run on the engine has ended: with rows, with a failure, or cancelled by its callers. */
  engineRun(endpoint: string, outcome: 'success' | 'error' | 'cancelled', seconds: number, cost?: Cost): void;
  /** A call was answered. */
  cacheRequest(endpoint: string, status: CacheFacts['status']): void;
  /** A call shares the run of another one. */
  collapsed(endpoint: string): void;
  /** A result was refreshed in the background by this replica, or the refresh failed. */
  warmRun(endpoint: string, outcome: 'success' | 'error'): void;
}

/** Ignores all events. */
export const noMeter: ExecutorMeter = {
  engineRun: () => {},
  cacheRequest: () => {},
  collapsed: () => {},
  warmRun: () => {},
};
