import { z } from 'zod';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { Call, type CallParts } from '../../../calls/call.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import { describeEndpoint } from '../../discovery/describe-endpoint.ts';
import { readJson } from '../../http/read-json.ts';
import { asksForRedaction, payerOf } from '../../http/request/gateway-headers.ts';
import { jsonAnswer } from '../../http/response/answer.ts';
import type { KeyedCall, KeyedHandler } from '../../http/route.ts';
import { answerForm, formChoices, variantFor } from '../../rest/answers/answer-form.ts';
import { bodyOf } from '../../rest/answers/make-body.ts';
import { cacheHeaders, sendBody } from '../../rest/answers/send-body.ts';
import { runHeaders } from '../../rest/rest-handler.ts';
import type { EditingWork, EndpointEditing, TextProblem } from './endpoint-editing.ts';

const edited = z.strictObject({ name: z.string().min(1).max(200), text: z.string() });
const placed = z.strictObject({ ...edited.shape, position: z.int().min(0) });
const query = z.strictObject({ sql: z.string() });
const tried = z.strictObject({
  ...edited.shape,
  parameters: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  timestamps: z.enum(formChoices.timestamps).optional(),
  json: z.enum(formChoices.json).optional(),
});

interface EditingHandlersParts {
  readonly editing: () => Promise<EndpointEditing>;
  readonly calls: CallParts;
  readonly clock: Clock;
}

type EditingStep = 'read' | 'check' | 'complete' | 'hover' | 'literals' | 'compare' | 'try';

/**
 * The handlers for writing endpoints in a browser: `GET /api/endpoint-files/<name>`, and `POST /api/drafts/<step>` with a
 * text that isn't served. Nothing of it changes what is served.
 */
export function editingHandlers(parts: EditingHandlersParts): Readonly<Record<EditingStep, KeyedHandler>> {
  const step =
    <Body>(
      schema: z.ZodType<Body>,
      answer: (editing: EndpointEditing, body: Body, work: EditingWork) => Promise<object | null>,
    ): KeyedHandler =>
    async (call) => {
      const body = await readJson(call, schema);
      return json(await answer(await parts.editing(), body, workOf(call)));
    };
  return {
    read: async ({ segment }) => json(await (await parts.editing()).read(segment)),
    check: step(edited, async (editing, given, work) => {
      const { problems, shape, file } = await editing.check(given, work);
      return {
        ...{ file, problems },
        ...(shape && { endpoint: describeEndpoint(shape), reads: shape.endpoint.plan.tables }),
      };
    }),
    complete: step(
      placed,
      async (editing, { position, ...given }) =>
        (await editing.complete(given, position)) ?? { from: position, options: [] },
    ),
    hover: step(
      placed,
      async (editing, { position, ...given }) => (await editing.hover(given, position)) ?? null,
    ),
    literals: step(query, (editing, { sql }, work) => editing.literals(sql, work)),
    compare: step(edited, (editing, given, work) => editing.compare(given, work)),
    try: (call) => tryText(call, parts),
  };
}

function json(answer: object | null) {
  return jsonAnswer(200, JSON.stringify(answer), { 'Cache-Control': 'private, no-store' });
}

function workOf({ caller, context, deadline }: KeyedCall): EditingWork {
  return { account: payerOf(caller, context.request.headersDistinct).account, signal: deadline.signal };
}

/** Runs a text as a call of an endpoint runs: with the caller's rights, limits and allowances. It is recorded, and never cached. */
async function tryText(call: KeyedCall, { editing, calls, clock }: EditingHandlersParts): Promise<undefined> {
  const { context, caller, deadline } = call;
  const { parameters, timestamps, json: ofJson, ...given } = await readJson(call, tried);
  const { headers, headersDistinct } = context.request;
  const { signal } = deadline;
  const { problems, shape } = await (await editing()).check(given, workOf(call));
  const [problem] = problems;
  if (shape === undefined || problem !== undefined) throw textRefused(problem);
  const asked = Call.authorise(
    {
      ...{ caller, endpoint: asDraft(shape.endpoint), logFields: context.logFields },
      payer: payerOf(caller, headersDistinct),
      given: new Map(Object.entries(parameters)),
      asksForRedaction: asksForRedaction(headersDistinct['lf-endpoint-redact-pii']),
      hold: (memory, bytes) => context.holdAnswer(memory, bytes),
    },
    // What is tried is not served.
    { ...calls, isServed: () => true },
  );
  using answer = await asked.execute({ signal });
  const wanted = new Map<string, string>([
    ['format', 'json'],
    ...(timestamps === undefined ? [] : ([['timestamps', timestamps]] as const)),
    ...(ofJson === undefined ? [] : ([['json', ofJson]] as const)),
  ]);
  const variant = variantFor(asked.hidden, answerForm(wanted, undefined), headers['accept-encoding']);
  const body = await bodyOf(shape.endpoint.name, answer.rows, variant, signal, asked.payer.account);
  const ofRows = () => [...cacheHeaders(answer.cache, clock.now()), ...runHeaders(answer)];
  context.logFields.bytes = sendBody(context, body, ofRows);
  return undefined;
}

/** What is tried has no results of an earlier version, and leaves none. */
function asDraft(endpoint: Endpoint): Endpoint {
  return { ...endpoint, isDraft: true, cacheSeconds: 0, warmSeconds: 0, staleIfErrorSeconds: 0, warm: [] };
}

/** The error for a text that can't be run or compared. */
export function textRefused(problem: TextProblem | undefined): GatewayError {
  if (problem === undefined) return new GatewayError('BAD_USER_INPUT', 'The text is no endpoint.');
  const { line, column, message } = problem;
  return new GatewayError('BAD_USER_INPUT', `${message} [at ${line}:${column}]`, {
    location: { line, column },
  });
}
