import type { Clock } from '../../base/clock/clock.ts';
import type { Log } from '../../base/log/log.ts';
import { requireUnrestricted } from '../../calls/access/authorise.ts';
import type { HeldFiles } from '../../engines/duckdb/store/database/held-files.ts';
import { bodyStream } from '../http/body/body-stream.ts';
import { ClientGone, startDeadline } from '../http/request/deadline.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { sendAnswer } from '../http/response/answer.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import { methodNotAllowed } from '../http/response/method-not-allowed.ts';
import { writeHead } from '../http/response/response-head.ts';
import type { Admission } from '../limits/admission.ts';

/** Runs a task while the store's files stay as of the last commit: see `Store.hold`. */
export type HoldStore = <T>(task: (files: HeldFiles) => Promise<T>, signal: AbortSignal) => Promise<T>;

interface HoldHandlerOptions {
  readonly admission: Admission;
  readonly holdStore: HoldStore;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * `POST /api/store/hold`, for `gateway backup`: keeps the store's files as of the last commit for a process of this machine
 * that reads them. The first line of the response tells the files. They are kept until the body of the request ends, which
 * the second line, `{"released":true}`, confirms. Without this line, they may have changed.
 */
export function holdHandler(options: HoldHandlerOptions): RouteHandler {
  return routeHandler(['/api/store/hold'], (context) =>
    context.path === '/api/store/hold' ? answerHold(context, options) : undefined,
  );
}

async function answerHold(context: RequestContext, options: HoldHandlerOptions): Promise<void> {
  const { response } = context;
  using deadline = startDeadline(response);
  try {
    await hold(context, deadline.signal, options);
  } catch (thrown) {
    if (thrown instanceof ClientGone || deadline.signal.aborted) return;
    const error = disclose(thrown, context, options.log);
    if (response.headersSent) response.destroy();
    else sendAnswer(context, errorAnswer(error));
  }
}

async function hold(
  context: RequestContext,
  signal: AbortSignal,
  { admission, holdStore, clock }: HoldHandlerOptions,
): Promise<void> {
  const { request, response } = context;
  requireUnrestricted(await admission.admit(context, 'admin'));
  if (request.method !== 'POST') throw methodNotAllowed('POST');
  const body = bodyStream(context, { clock, signal });
  await holdStore(async ({ rows, ...files }) => {
    writeHead(context, 200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
    response.write(`${JSON.stringify({ ...files, rows: Object.fromEntries(rows) })}\n`);
    for await (const _ of body);
  }, signal);
  response.end(`${JSON.stringify({ released: true })}\n`);
}
