import { acceptWeights } from '../request/accept-weights.ts';
import { eventStreamType } from './event-stream.ts';

/** Whether `Accept` names event streams, and nothing that the client likes better. */
export function asksForEvents(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes(eventStreamType)) return false;
  const weights = acceptWeights(accept);
  const weight = weights.get(eventStreamType) ?? 0;
  return weight > 0 && weights.values().every((other) => other <= weight);
}
