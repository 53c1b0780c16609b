import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../base/errors/errors.ts';
import { plainLog } from '../../base/log/log.ts';
import { settingWarnings } from '../../definitions/settings/config.ts';
import { requestIdFrom } from '../../server/http/request/request-id.ts';
import { requestIdMaker } from '../../server/http/request/request-id-maker.ts';
import { sendAnswer } from '../../server/http/response/answer.ts';
import { corsPolicy } from '../../server/http/response/cors.ts';
import { errorAnswer } from '../../server/http/response/error-answer.ts';
import { readConfig } from '../engines/registry.ts';
import { explainFailure } from '../failures/explain-failure.ts';
import { launchOpened } from '../gateway/launch-gateway.ts';
import { newRunKey } from '../gateway/run-key.ts';
import { checkOptions } from './check-options.ts';
import type { Gateway, GatewayOptions, Settings } from './gateway.ts';

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
