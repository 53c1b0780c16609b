import { z } from 'zod';
import { integer, setting } from './setting.ts';

/** How far the `timestamp` of a row may be from its arrival. */
export interface TimeLimits {
  readonly maxPastDays: number;
  readonly maxFutureSeconds: number;
}

/** A hundred years back, a day ahead. */
export const defaultTimeLimits: TimeLimits = { maxPastDays: 36_525, maxFutureSeconds: 86_400 };

/** The limits that the settings give. */
export function timeLimits({
  ingestMaxPastDays,
  ingestMaxFutureSeconds,
}: {
  readonly ingestMaxPastDays: number;
  readonly ingestMaxFutureSeconds: number;
}): TimeLimits {
  return { maxPastDays: ingestMaxPastDays, maxFutureSeconds: ingestMaxFutureSeconds };
}

/** Rows from collectors. */
export const ingestSettings = {
  ingestMaxBodyBytes: setting(
    'INGEST_MAX_BODY_BYTES',
    integer(32_000_000, 1_000, 1_000_000_000),
    '32000000',
    'Maximum size of a collector’s request body as sent, in bytes.',
  ),
  ingestMaxPendingBytes: setting(
    'INGEST_MAX_PENDING_BYTES',
    integer(64_000_000, 1_000, 10_000_000_000),
    '64000000',
    'Maximum size of one key’s request bodies whose events are not committed yet, in bytes. All keys together can have half as much again. Further requests get status 429 or 503 with `Retry-After`.',
  ),
  ingestMaxPastDays: setting(
    'INGEST_MAX_PAST_DAYS',
    integer(defaultTimeLimits.maxPastDays, 1, 800_000),
    String(defaultTimeLimits.maxPastDays),
    'How many days before its arrival the `timestamp` of a row may be. The default is a hundred years.',
  ),
  ingestMaxFutureSeconds: setting(
    'INGEST_MAX_FUTURE_SECONDS',
    integer(defaultTimeLimits.maxFutureSeconds, 0, 3_155_760_000),
    String(defaultTimeLimits.maxFutureSeconds),
    'How many seconds after its arrival the `timestamp` of a row may be. The default is a day.',
  ),
  otlpSource: setting(
    'OTLP_SOURCE',
    z.string().optional(),
    'none',
    'Source of OTLP log records whose request and resource name none.',
  ),
};
