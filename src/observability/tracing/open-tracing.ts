import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Tracing } from './tracing.ts';

/** Traces requests where OpenTelemetry's variables ask for it. Its libraries are loaded only then. */
export async function openTracing(
  { tracing }: Pick<Config, 'tracing'>,
  log: Log,
): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(tracing, log);
}
