interface Attempt {
  /** What the gateway asks for, in milliseconds. */
  readonly retryMs: number;
  /** How many attempts have failed in a row, from 1. */
  readonly failures: number;
  /** What the failed answer asks for. */
  readonly retryAfterSeconds: number | undefined;
  /** A number from 0 to below 1. */
  readonly random: number;
}

const maxMs = 30_000;

/**
 * Milliseconds until the next attempt. They double with each failure, and differ by up to a half, so that clients don't all
 * come at once. They are never less than the gateway asks for.
 */
export function backoffMs({ retryMs, failures, retryAfterSeconds = 0, random }: Attempt): number {
  const doubled = Math.min(Math.max(maxMs, retryMs), retryMs * 2 ** (failures - 1));
  return Math.round(Math.max(doubled, retryAfterSeconds * 1000) * (1 + random / 2));
}
