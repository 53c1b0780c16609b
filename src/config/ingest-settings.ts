import { z } from 'zod';
import { integer } from './forms.ts';
import { setting } from './setting.ts';

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
    'Maximum size of all collectors’ request bodies whose rows are not committed yet, in bytes. Further requests get status 503 with `Retry-After`.',
  ),
  otlpSource: setting(
    'OTLP_SOURCE',
    z.string().optional(),
    'none',
    'Source of OTLP log records whose request and resource name none.',
  ),
};
