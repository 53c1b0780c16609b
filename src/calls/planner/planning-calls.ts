import type { LogFields } from '../../base/terminal/log.ts';
import type { Planner } from './planner.ts';

/** The calls that the gateway makes to the planning thread. */
export interface PlanningCalls extends Required<Planner> {
  /** Answered when the thread can plan. */
  start(): Promise<void>;
  /** Answered between two steps of the thread's work. */
  ping(): Promise<void>;
  /** Stops the analyzer and ends the thread. Not answered. */
  end(): Promise<void>;
}

/** A warning of the planning thread. */
export interface PlanningWarning {
  readonly message: string;
  readonly fields: LogFields | undefined;
}
