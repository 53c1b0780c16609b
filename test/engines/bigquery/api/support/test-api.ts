import { vi } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../../../../src/base/system/clock.ts';
import { systemClock } from '../../../../../src/base/system/clock.ts';
import type { Log } from '../../../../../src/base/terminal/log.ts';
import type { ApiMeter } from '../../../../../src/engines/bigquery/api/api-meter.ts';
import type { ApiCall } from '../../../../../src/engines/bigquery/api/big-query-api.ts';
import { createBigQueryApi } from '../../../../../src/engines/bigquery/api/create-api.ts';

export const quietLog: Log = { info() {}, warn() {}, error() {} };

/** Whoever runs the tests may have credentials of their own; no test is to find them. */
export function withoutCredentials(home = '/nonexistent'): void {
  vi.stubEnv('HOME', home);
  for (const variable of [
    'CLOUDSDK_CONFIG',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_QUOTA_PROJECT',
  ]) {
    vi.stubEnv(variable, '');
  }
}

/** An API without pauses between attempts, of a project `p`, without credentials unless some are configured. */
export function testApi(
  emulatorHost: string,
  options: { clock?: Clock; meter?: ApiMeter; isMetadataServerGiven?: boolean } = {},
) {
  return createBigQueryApi({
    project: 'p',
    emulatorHost,
    isMetadataServerGiven: false,
    clock: systemClock,
    random: () => 0,
    log: quietLog,
    ...options,
  });
}

const anyAnswer = z.looseObject({});

/** A call of something, with what differs. */
export function someCall(call: Partial<ApiCall<unknown>> = {}): ApiCall<unknown> {
  return {
    method: 'GET',
    path: '/projects/p/jobs/j',
    answer: anyAnswer,
    signal: new AbortController().signal,
    attemptTimeoutMs: 5000,
    ...call,
  };
}
