import type { Log } from '../../../base/terminal/log.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import type { Tracing } from './tracing.ts';

/** Traces requests if OpenTelemetry's variables are set. Its libraries are loaded only then. */
export async function openTracing(
  { tracing }: Pick<Config, 'tracing'>,
  log: Log,
): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(tracing, log);
}
