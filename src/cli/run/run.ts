import { UsageError } from '../../base/errors/command-error.ts';
import { systemClock } from '../../base/system/clock.ts';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { interruptible } from '../engine/interruptible.ts';
import { readMoment, withEngine } from '../options/option-values.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { isBrokenPipe } from '../output/write-pieces.ts';
import { askServer } from './ask-server.ts';
import { runHere } from './run-here.ts';
import type { Answer, RunEnvironment, RunOptions } from './run-options.ts';
import { maxSilenceMs, readServerUrl } from './server.ts';

/**
 * Runs an endpoint, and writes its rows to standard output. Their number, and the time, go to standard error.
 *
 * @returns the exit code
 * @throws UsageError, CommandError, StoreError, GatewayError, ProblemsError
 */
export function runCommand(
  wanted: string,
  { json, ...given }: RunOptions,
  config: Config,
  environment: RunEnvironment,
): Promise<number> {
  return interruptible(async (signal) => {
    const options = { ...given, format: json === true ? 'json' : given.format } as const;
    const { key = config.serverKey, quiet = false, format } = options;
    if ((format === 'parquet' || format === 'arrow') && environment.stdout.isTTY)
      throw new UsageError(
        `--format ${format}: these are bytes that a terminal can't show. Send them to a file.`,
      );
    const started = performance.now();
    const now = readMoment('--now', options.now, systemClock.now());
    const server = serverOf(options, config);
    if (server === undefined && options.key !== undefined)
      throw new UsageError('--key: no gateway is called. Name it with --server or SERVER_URL.');
    try {
      const answer =
        server === undefined
          ? await runHere(wanted, options, now, withEngine(config, options), environment, signal)
          : await askServer(
              { url: server, key },
              wanted,
              options,
              { ...environment, silenceMs: maxSilenceMs(config, options.format) },
              signal,
            );
      if (!quiet) environment.err(`${summary(answer, performance.now() - started)}\n`);
      return exitCodes.success;
    } catch (error) {
      signal.throwIfAborted();
      if (isBrokenPipe(error)) return exitCodes.brokenPipe;
      throw error;
    }
  });
}

/** The gateway to call, if any. Options that no gateway has mean the files here, whatever the environment says. */
function serverOf({ server, now, engine }: RunOptions, { serverUrl }: Config): string | undefined {
  if (server !== undefined) return readServerUrl(server);
  return now === undefined && engine === undefined ? serverUrl : undefined;
}

function summary({ rows, truncated, notes }: Answer, milliseconds: number): string {
  const time = duration(milliseconds);
  const facts = [rows === undefined ? time : `${counted(rows, 'row')} in ${time}`, ...notes];
  return `${facts.join(', ')}${truncated ? '; truncated: the query has more rows than the endpoint returns' : ''}`;
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
