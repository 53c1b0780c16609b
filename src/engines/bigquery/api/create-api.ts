import manifest from '../../../../package.json' with { type: 'json' };
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { type ApiMeter, noApiMeter } from './api-meter.ts';
import { Attempts } from './attempts.ts';
import type { BigQueryApi } from './big-query-api.ts';
import { Breaker } from './breaker.ts';
import { Credentials } from './credentials.ts';
import { httpCall } from './http-call.ts';
import { dryRunProbe } from './probe.ts';
import { RetryBudget } from './retry-budget.ts';

const google = 'https://bigquery.googleapis.com/bigquery/v2';

/**
 * The base URL of all calls. Google's clients use the URL of another server unchanged; one without a path, with which
 * they would call the wrong address, gets BigQuery's path.
 */
function baseUrl(emulatorHost: string | undefined): string {
  if (emulatorHost === undefined) return google;
  const url = emulatorHost.replace(/\/+$/, '');
  return new URL(url).pathname === '/' ? `${url}/bigquery/v2` : url;
}

interface ApiOptions {
  /** The project of the jobs. */
  readonly project: string;
  /** The location of the jobs, if configured. */
  readonly location?: string | undefined;
  /** URL of another server with BigQuery's API. It is called without credentials if none are configured. */
  readonly emulatorHost?: string | undefined;
  /** Whether the environment names a metadata server. With `emulatorHost`, it is not searched for otherwise. */
  readonly isMetadataServerGiven: boolean;
  readonly clock: Clock;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly meter?: ApiMeter | undefined;
}

/** Creates the API. The first call makes the first request to BigQuery. Closing stops background work. */
export function createBigQueryApi(options: ApiOptions): BigQueryApi & { close(): void } {
  const { project, location, emulatorHost, isMetadataServerGiven, clock, random, log } = options;
  const meter = options.meter ?? noApiMeter;
  const areOptional = emulatorHost !== undefined && !isMetadataServerGiven;
  const http = httpCall({
    baseUrl: baseUrl(emulatorHost),
    userAgent: `${manifest.name}/${manifest.version}`,
    credentials: new Credentials({ project, areOptional, clock }),
    clock,
  });
  const breaker = new Breaker({ probe: dryRunProbe(http, project, location), clock, random, log, meter });
  const attempts = new Attempts({ http, breaker, budget: new RetryBudget(clock), clock, random, meter });
  return {
    call: (call) => attempts.call(call),
    pauseBeforeRetry: (attempt, signal, after) => attempts.pauseBeforeRetry(attempt, signal, after),
    close: () => breaker.close(),
  };
}
