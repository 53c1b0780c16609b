import type { Cost } from '../engines/engine.ts';
import type { CacheFacts } from './executor.ts';

/** Is told what the executor does, for those who watch it. Endpoints are named; parameters never are. */
export interface ExecutorMeter {
  /** A run on the engine has ended: callers all left before its end, or it failed, or it gave rows. */
  engineRun(endpoint: string, outcome: 'success' | 'error' | 'cancelled', seconds: number, cost?: Cost): void;
  /** A call was answered. */
  cacheRequest(endpoint: string, status: CacheFacts['status']): void;
  /** A call shares the run of another one. */
  collapsed(endpoint: string): void;
  /** A result was made anew in the background, by this replica, or could not be. */
  warmRun(endpoint: string, outcome: 'success' | 'error'): void;
}

/** Nobody watches. */
export const noMeter: ExecutorMeter = {
  engineRun: () => {},
  cacheRequest: () => {},
  collapsed: () => {},
  warmRun: () => {},
};
