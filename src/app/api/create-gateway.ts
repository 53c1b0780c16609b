import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { plainLog } from '../../base/terminal/log.ts';
import { plainIssue } from '../../base/text/plain-issue.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { ConfigError, settingWarnings } from '../../definitions/settings/config.ts';
import { requestIdFrom, requestIdMaker } from '../../server/http/request/request-id.ts';
import { sendAnswer } from '../../server/http/response/answer.ts';
import { corsPolicy } from '../../server/http/response/cors.ts';
import { errorAnswer } from '../../server/http/response/error-answer.ts';
import { readConfig } from '../engines/registry.ts';
import { explainFailure } from '../failures/explain-failure.ts';
import { launchOpened } from '../gateway/launch-gateway.ts';
import { newRunKey } from '../gateway/run-key.ts';
import type { Gateway, GatewayOptions, Settings } from './gateway.ts';
import { settingNames } from './setting-name.ts';

const setting = z.union([z.string(), z.number(), z.boolean()]).optional();

const isLog = (log: unknown) =>
  typeof log === 'object' &&
  log !== null &&
  ['info', 'warn', 'error'].every((method) => typeof Reflect.get(log, method) === 'function');

const gatewayOptions = z.strictObject({
  endpointsDir: z.string().optional(),
  sourcesDir: z.string().optional(),
  dataDir: z.string().optional(),
  settings: z.strictObject(Object.fromEntries(settingNames.map((name) => [name, setting]))).optional(),
  log: z.custom(isLog, 'expected an object with the methods info, warn and error').optional(),
});

const known = [...Object.keys(gatewayOptions.shape), ...settingNames];

/**
 * Starts a gateway that another server calls, such as `createServer(gateway.handler)`. It runs queries in processes of its own, as
 * `endpoint-gateway serve` does, and doesn't listen.
 *
 * @throws ConfigError if options or settings are invalid, with a line for each
 */
export function createGateway(options: GatewayOptions = {}): Gateway {
  checkOptions(options);
  const { settings = {}, log = plainLog((line) => process.stderr.write(line)) } = options;
  const environment = environmentOf(options, settings);
  const given = readConfig(environment);
  const key = given.apiKey ?? newRunKey();
  const config = { ...given, apiKey: key };
  for (const warning of settingWarnings(environment)) log.warn(warning);

  const cors = corsPolicy(config.corsOrigins);
  const makeRequestId = requestIdMaker();
  /** Answers a request that the gateway itself can't answer. */
  function refuse(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { origin, 'x-request-id': given } = request.headers;
    const requestId = requestIdFrom(given, makeRequestId);
    const error = new GatewayError('BACKEND_UNAVAILABLE', text, { retryAfterSeconds: 1 });
    const to = { request, response, requestId, cors: cors.headers(origin), logFields: {} };
    sendAnswer(to, errorAnswer(error));
  }

  let closing: Promise<void> | undefined;
  const opening = launchOpened(config, { log });
  const ready = opening.then(({ gateway }) => gateway.warmer.start());
  ready.catch((error) => log.error(`The gateway can't start: ${explainFailure(error)}`));

  const close = async () => {
    const open = await opening.catch(() => undefined);
    await open?.gateway.warmer.close();
    await open?.[Symbol.asyncDispose]();
  };
  return {
    key,
    ready,
    handler: (request, response) => {
      if (closing !== undefined) return refuse(request, response, 'The gateway is closed.');
      opening.then(
        ({ gateway }) => gateway.server.handle(request, response),
        () => refuse(request, response, "The gateway can't start. Its log says why."),
      );
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function environmentOf(
  { endpointsDir, sourcesDir, dataDir }: GatewayOptions,
  settings: Settings,
): Readonly<Record<string, string>> {
  const all = {
    ...settings,
    ...(endpointsDir !== undefined && { ENDPOINTS_DIR: endpointsDir }),
    ...(sourcesDir !== undefined && { SOURCES_DIR: sourcesDir }),
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/**
 * Checks options, whose types callers in JavaScript may not know.
 *
 * @throws ConfigError with a line for each wrong one
 */
function checkOptions(options: GatewayOptions): void {
  const { error } = gatewayOptions.safeParse(options, { reportInput: true, error: plainIssue });
  if (error !== undefined) throw new ConfigError(error.issues.flatMap(problemsOf));
}

function problemsOf(issue: z.core.$ZodIssue): string[] {
  const place = ['options', ...issue.path].join('.');
  if (issue.code !== 'unrecognized_keys') return [`${place}: ${issue.message}`];
  return issue.keys.map((key) => `${place}: there is no "${key}"${didYouMean(key, known)}`);
}
