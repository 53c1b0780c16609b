import { GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';

/** Thrown when today's budget is spent: nothing runs on it before midnight UTC. */
export class BudgetSpent extends GatewayError {
  /**
   * @param subject for example `the endpoint "usage.api-counts"`
   * @param now in milliseconds since the epoch
   */
  constructor(subject: string, billed: number, budget: number, now: number) {
    const message = `Queries of ${subject} were billed ${counted(billed, 'byte')} today (UTC), and may be billed ${counted(budget, 'byte')} a day.`;
    super('COST_LIMIT_EXCEEDED', message, { retryAfterSeconds: secondsToMidnight(now) });
  }
}

const dayMs = 86_400_000;

function secondsToMidnight(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / 1000);
}
