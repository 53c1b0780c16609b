import manifest from '../../../../package.json' with { type: 'json' };
import type { Clock } from '../../../clock.ts';
import type { Log } from '../../../log.ts';
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
 * Everything before a call's path. Google's clients take the URL of another server as it is; one without a path, which
 * they would ask at the wrong place, gets BigQuery's.
 */
function baseUrl(emulatorHost: string | undefined): string {
  if (emulatorHost === undefined) return google;
  const url = emulatorHost.replace(/\/+$/, '');
  return new URL(url).pathname === '/' ? `${url}/bigquery/v2` : url;
}

interface ApiOptions {
  /** The project that jobs run in. */
  readonly project: string;
  /** Where jobs run, if it is said. */
  readonly location?: string | undefined;
  /** URL of another server that speaks BigQuery's API. It is asked without credentials where none are configured. */
  readonly emulatorHost?: string | undefined;
  /** Whether the environment names a metadata server: with `emulatorHost`, none is looked for otherwise. */
  readonly isMetadataServerGiven: boolean;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
  readonly meter?: ApiMeter | undefined;
}

/** Puts the parts of the API together. Nothing is asked of BigQuery before its first call; closing ends what is done in the background. */
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
