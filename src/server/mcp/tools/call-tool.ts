import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { GatewayError } from '../../../base/errors/errors.ts';
import { bySimilarity } from '../../../base/text/suggest.ts';
import type { Caller, Payer } from '../../../calls/access/caller/caller.ts';
import { adHocQueryOf } from '../../../calls/call/ad-hoc-query.ts';
import type { Reads } from '../../../calls/call/authorised-call.ts';
import { Call, type CallParts } from '../../../calls/call.ts';
import {
  type CalledVersion,
  type CallLogFields,
  calledVersion,
  noteEndpoint,
  noteFailure,
} from '../../../calls/call-log.ts';
import { coerceParameters } from '../../../definitions/endpoints/parameters/coerce.ts';
import type {
  EndpointParameter,
  GivenParameters,
  GivenValue,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { textsIn, typeOfTexts } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { givenAsJson } from '../../../definitions/endpoints/parameters/read-given.ts';
import { badValue, ofElement } from '../../../definitions/endpoints/parameters/rules.ts';
import type { SchemaShape } from '../../graphql/shape/shape.ts';
import { filterParameter, filterReads } from '../../http/request/filter-keys.ts';
import {
  cursorParameter,
  type EndpointTool,
  howToShorten,
  maxRowsParameter,
  rowsByDefault,
} from './endpoint-tool.ts';
import { firstRows, pageResult, rowsResult } from './tool-result.ts';

/** The parts of the gateway that tools use. */
export interface McpParts {
  /** The current endpoints. */
  readonly shape: SchemaShape;
  readonly calls: CallParts;
}

/** One caller's session: a request over HTTP, or a connection over standard input and output. */
export interface McpSession {
  readonly caller: Caller;
  readonly payer: Payer;
  /** Counts memory of rows until the result is disposed of. */
  readonly hold?: (memory: object, bytes: number) => Disposable;
  /** Whether the caller asks for redaction or its key requires it. */
  readonly redacts: boolean;
  /**
   * Runs a call within its time limit.
   *
   * @param cancelled aborted when the client cancels the call
   * @param call also gets what receives the log of the call
   */
  withinTime<T>(
    cancelled: AbortSignal,
    call: (signal: AbortSignal, logFields: CallLogFields) => Promise<T>,
  ): Promise<T>;
  /** The error to show to the caller. A defect is logged. */
  disclose(thrown: unknown): GatewayError;
}

/**
 * Runs a tool as REST runs a request: arguments are parsed by their types, checked against the caller's key, and rows are
 * redacted and rendered in the same way.
 *
 * @throws GatewayError; the signal's reason when it is aborted
 */
export async function callTool(
  tool: EndpointTool,
  values: Readonly<Record<string, unknown>>,
  { calls }: McpParts,
  session: McpSession,
  { signal, logFields }: { readonly signal: AbortSignal; readonly logFields: CallLogFields },
): Promise<CallToolResult> {
  const { endpoint } = tool.shape;
  const { caller, payer, redacts: asksForRedaction, hold } = session;
  const noted = <T>(read: () => T) => notedFailure(calledVersion(endpoint), logFields, read);
  const given = noted(() => givenArguments(tool.parameters, values));
  const reads = () => (tool.isAdHoc ? adHocReads(given) : filterReads(endpoint, given));
  const request = { caller, payer, endpoint, given, reads, asksForRedaction, logFields, hold };
  const whole = Call.authorise(request, calls);
  const { call, maxRows } = noted(() => {
    const rows = wantedRows(tool, given);
    const cursor = cursorIn(tool, given);
    const paged = cursor === undefined ? whole : whole.paged({ rows, after: cursor || undefined });
    return { call: paged, maxRows: rows };
  });
  using answer = await call.execute({ signal });
  const texts = await firstRows(answer.rows, { maxRows, advice: howToShorten(tool) }, signal);
  answer.noteLeftOut(answer.rows.count - texts.length);
  const { page } = answer;
  if (page === undefined) return rowsResult(tool, answer.rows, texts, maxRows);
  // A page whose last rows would be too large ends before them.
  const isCut = texts.length < answer.rows.count;
  return pageResult(tool, answer.rows, texts, isCut ? page.cursorOf(texts.length - 1) : page.next);
}

/** Records a call that fails before it is run: its arguments are wrong. */
function notedFailure<T>(endpoint: CalledVersion, logFields: CallLogFields, read: () => T): T {
  try {
    return read();
  } catch (error) {
    noteEndpoint(logFields, endpoint);
    noteFailure(logFields, { endpoint, error, engineMs: 0 });
    throw error;
  }
}

/** The cursor of a call that reads pages, which is empty for the first one. */
function cursorIn(
  { shape: { endpoint }, isAdHoc }: EndpointTool,
  given: GivenParameters,
): string | undefined {
  const parameter = cursorParameter(endpoint, isAdHoc);
  const [text] = textsIn((parameter && given.get(parameter.name)) ?? null);
  return text;
}

/** Values of JSON, as the SDK parses them. */
type Arguments = Readonly<Record<string, unknown>>;

/**
 * The arguments of a tool as the texts that parameters are parsed from, as for a JSON body on REST. Other arguments than
 * the tool's are refused: a model would not notice that they have no effect.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
function givenArguments(parameters: readonly EndpointParameter[], values: Arguments): GivenParameters {
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  return new Map(
    Object.entries(values).map(([name, value]): [string, GivenValue] => {
      const parameter = known.get(name);
      if (parameter === undefined) throw unknownArgument(name, [...known.keys()]);
      requireAllDigits(parameter, value);
      return [name, givenAsJson(parameter, JSON.stringify(value))];
    }),
  );
}

function unknownArgument(name: string, names: readonly string[]): GatewayError {
  const available = names.length === 0 ? 'none' : bySimilarity(name, names).join(', ');
  const message = `There is no argument ${JSON.stringify(name.slice(0, 60))}; available: ${available}.`;
  return new GatewayError('BAD_USER_INPUT', message, { parameter: name });
}

const exactTypes: ReadonlySet<string> = new Set(['INT64', 'NUMERIC', 'BIGNUMERIC']);

const problem = ': the number has too many digits for a JSON number. Write it as a string';

function isRounded(each: unknown): boolean {
  return typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER;
}

/** Refuses such numbers anywhere in a value. */
function requireExactNumbers(name: string, value: unknown): void {
  if (isRounded(value)) throw badValue(name, problem);
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) requireExactNumbers(name, each);
}

/** Refuses numbers that may have lost digits when the message was parsed. */
function requireAllDigits(parameter: EndpointParameter, value: unknown): void {
  const { name, type } = parameter;
  if (parameter === filterParameter) requireExactNumbers(name, value);
  if (!exactTypes.has(typeOfTexts(type).kind)) return;
  if (isRounded(value)) throw badValue(name, problem);
  const index = Array.isArray(value) ? value.findIndex(isRounded) : -1;
  if (index >= 0) throw badValue(name, ofElement(index + 1, problem));
}

/** @throws GatewayError BAD_USER_INPUT unless there is one query */
function adHocReads(given: GivenParameters): Reads {
  const query = adHocQueryOf(given);
  if (query?.language === 'sql' && given.get('lql')) {
    throw new GatewayError('BAD_USER_INPUT', 'Give either "sql" or "lql", not both.', { parameter: 'lql' });
  }
  if (query !== undefined) return { query };
  throw new GatewayError('BAD_USER_INPUT', 'Give a query in "sql" or "lql".', { parameter: 'sql' });
}

function wantedRows({ shape: { endpoint } }: EndpointTool, given: GivenParameters): number {
  const parameter: EndpointParameter | undefined = maxRowsParameter(endpoint);
  if (parameter === undefined) return rowsByDefault(endpoint);
  return Number(coerceParameters({ parameters: [parameter] }, given).get(parameter.name));
}
