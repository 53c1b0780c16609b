import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { givenAsJson } from '../../../definitions/endpoints/parameters/read-given.ts';
import { badValue } from '../../../definitions/endpoints/parameters/rules.ts';
import { checkNesting } from '../../http/body/json-nesting.ts';
import { hasBody, readBody } from '../../http/body/read-body.ts';
import { isJson, readMediaType, unsupportedMediaType } from '../../http/request/media-type.ts';
import { keyParameter } from '../../http/request/query-parameters.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { formKeys } from '../answers/answer-form.ts';
import { liveKeys } from '../live/live-request.ts';
import { pageKeys } from '../pages/page-request.ts';
import {
  checkFieldCount,
  decodePairs,
  maxFormFields,
  pickWanted,
  type WantedKeys,
  wantedKeys,
} from './text-pairs.ts';
import { type WantedMembers, wantedMembers } from './wanted-members.ts';

/** The parameters of a query string or a body. */
interface ReadParameters {
  readonly given: GivenParameters;
  /** Keys that the endpoint doesn't have; only some of them if there are many. */
  readonly ignored: ReadonlySet<string>;
}

/** The largest accepted bodies, in bytes. */
const bodyLimits = {
  json: 12_000_000,
  jsonOfGet: 8_000_000,
  multipart: 8_000_000,
  form: 1_000_000,
};

const nothingRead: ReadParameters = { given: new Map(), ignored: new Set() };

const callerQueryKeys = ['sql', 'lql'];

/** Finds the wanted keys in what was read. */
type Pick = (wanted: WantedKeys) => ReadParameters | Promise<ReadParameters>;

/**
 * Reads the endpoint's parameters, a possible ad-hoc query under `sql` or `lql`, a page, and whether an estimate is requested.
 * They come from the query string and the body, which takes precedence.
 *
 * @param current the endpoint as it is now: it may be replaced while a body arrives
 * @returns also the endpoint as it is when the body has arrived, whose parameters were read
 * @throws GatewayError naming what is malformed, too large or not supported; the signal's reason when it is aborted
 */
export async function readParameters(
  context: RequestContext,
  current: () => Endpoint,
  signal: AbortSignal,
): Promise<ReadParameters & { readonly endpoint: Endpoint }> {
  const pairs = decodePairs(context.query);
  const pickOfBody =
    context.request.method === 'POST'
      ? await readPostBody(context, signal)
      : await readGetBody(context, current(), pairs, signal);
  for (;;) {
    const endpoint = current();
    const { limit, after } = pageKeys(endpoint);
    const ofPages = [limit, after];
    const own = [...callerQueryKeys, dryRunKey, ...formKeys, ...liveKeys, ...ofPages];
    const wanted = wantedKeys(endpoint.parameters, own);
    const query = keysOfPairs(pairs, wanted);
    const body = await pickOfBody(wanted);
    if (current() !== endpoint) continue;
    return {
      endpoint,
      given: new Map([
        ...withoutEmptyQueries(query.given),
        ...withoutEmptyQueries(body.given),
        // The URL of the next page goes before the body, which its client sends again.
        ...[...query.given].filter(([key]) => ofPages.includes(key)),
      ]),
      ignored: new Set([...query.ignored, ...body.ignored]),
    };
  }
}

function keysOfPairs(pairs: readonly (readonly [string, string])[], wanted: WantedKeys): ReadParameters {
  const others = pairs.map(([key]) => key).filter((key) => !wanted.has(key) && key !== keyParameter);
  return { given: pickWanted(pairs, wanted), ignored: new Set(others) };
}

const pickNothing: Pick = () => nothingRead;

async function readPostBody(context: RequestContext, signal: AbortSignal): Promise<Pick> {
  const type = readMediaType(context.request.headers['content-type']);
  if (type === undefined) return pickNothing;
  if (isJson(type)) {
    const body = await readBody(context, bodyLimits.json, signal);
    return (wanted) => parseJsonBody(body, wanted);
  }
  switch (type.essence) {
    case 'application/x-www-form-urlencoded': {
      const body = (await readBody(context, bodyLimits.form, signal)).toString('latin1');
      checkFieldCount(body.split('&', maxFormFields + 1).length);
      return (wanted) => keysOfPairs(decodePairs(body), wanted);
    }
    case 'multipart/form-data': {
      const body = await readBody(context, bodyLimits.multipart, signal);
      const pairs = await parseMultipartBody(body, type.header);
      return (wanted) => keysOfPairs(pairs, wanted);
    }
    default:
      throw unsupportedMediaType(type.header);
  }
}

/** Reads the body of a GET, which can contain an ad-hoc query and nothing else. */
async function readGetBody(
  context: RequestContext,
  endpoint: Endpoint,
  pairs: readonly (readonly [string, string])[],
  signal: AbortSignal,
): Promise<Pick> {
  const inQuery = pairs.some(([key, text]) => callerQueryKeys.includes(key) && text !== '');
  if (!endpoint.sandbox || inQuery || !hasBody(context.request)) return pickNothing;
  const type = readMediaType(context.request.headers['content-type']);
  if (type === undefined) return pickNothing;
  if (!isJson(type)) throw unsupportedMediaType(type.header);
  const body = await readBody(context, bodyLimits.jsonOfGet, signal);
  return () => parseJsonBody(body, wantedKeys([], callerQueryKeys));
}

/** Removes empty queries, which count as absent: they don't override one given elsewhere. */
function withoutEmptyQueries(given: GivenParameters): GivenParameters {
  return new Map([...given].filter(([key, text]) => !callerQueryKeys.includes(key) || text));
}

/**
 * The keys of a JSON object. An empty body, or JSON that is not an object, has no keys.
 *
 * @throws GatewayError BAD_USER_INPUT when the body is not JSON in UTF-8 or is nested too deeply, or naming a wanted
 *   key that is given several times, or with a list or an object that doesn't fit its type
 */
async function parseJsonBody(bytes: Buffer, wanted: WantedKeys): Promise<ReadParameters> {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return nothingRead;
  checkNesting(text);
  const members = await membersOf(text, new Set(wanted.keys()));
  const [repeated] = members.repeated;
  if (repeated !== undefined) throw badValue(repeated, ': given several times in the body');
  const given = [...wanted].flatMap(([key, parameter]) => {
    const source = members.wanted.get(key);
    return source === undefined ? [] : [[key, givenAsJson(parameter, source)] as const];
  });
  return { given: new Map(given), ignored: members.others };
}

async function membersOf(text: string, wanted: ReadonlySet<string>): Promise<WantedMembers> {
  try {
    return await wantedMembers(text, wanted);
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid JSON.', { cause: error });
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.', { cause: error });
  }
}

/**
 * Parses the texts of a `multipart/form-data` body.
 *
 * @throws GatewayError BAD_USER_INPUT when it is malformed, not UTF-8, has too many parts, or contains a file
 */
async function parseMultipartBody(bytes: Buffer, contentType: string): Promise<[string, string][]> {
  checkFieldCount(countParts(bytes, contentType));
  const entries = [...(await parse(bytes, contentType)).entries()];
  const texts = entries.map(([key, value]): [string, string] => {
    if (typeof value === 'string') return [key, value];
    throw new GatewayError(
      'BAD_USER_INPUT',
      `Key ${JSON.stringify(key.slice(0, 60))}: files are not accepted.`,
    );
  });
  // The parser replaces invalid UTF-8.
  if (!isUtf8(bytes)) throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.');
  return texts;
}

/** The approximate number of parts, up to one more than the maximum. */
function countParts(bytes: Buffer, contentType: string): number {
  const boundary = new MIMEType(contentType).params.get('boundary');
  if (!boundary) return 0;
  const delimiter = Buffer.from(`--${boundary}`);
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1 && count <= maxFormFields + 1; count++)
    at = bytes.indexOf(delimiter, at + delimiter.length);
  // The last delimiter ends the body.
  return count - 1;
}

async function parse(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid multipart/form-data.', { cause: error });
  }
}

/** The request key that asks for an estimate instead of a run. */
const dryRunKey = 'dry_run';

/** @throws GatewayError BAD_USER_INPUT for anything but `true` and `false` */
export function asksForEstimate(given: GivenParameters): boolean {
  const [text = 'false'] = textsIn(given.get(dryRunKey) ?? null);
  if (text === 'true' || text === 'false') return text === 'true';
  const message = `Parameter "${dryRunKey}": expected true or false, got ${JSON.stringify(text.slice(0, 60))}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: dryRunKey });
}
