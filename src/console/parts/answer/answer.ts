import { bodyText, type Client } from '../../api/client.ts';
import type { EditedText } from '../../api/editing.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { Failure, failureIn } from '../../api/failure.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../api/json.ts';
import { type ParameterValues, pairsOf } from '../parameters/parameter-values.ts';
import { type AnswerFacts, readFacts } from './answer-facts.ts';

/** The rows of a call, and what the gateway says of them. */
export interface Answer {
  readonly rows: readonly JsonObject[];
  readonly facts: AnswerFacts;
  /** The place of the next page, if this is a page with one behind it. */
  readonly cursor?: string | undefined;
}

/** What pages a call by. */
export interface PageKeys {
  readonly limit: string;
  readonly after: string;
}

/** A call of an endpoint. */
export interface Call {
  readonly endpoint: Pick<Endpoint, 'name'>;
  readonly values: ParameterValues;
  /** What to run instead of the stored query. */
  readonly query?: { readonly language: 'sql' | 'lql'; readonly text: string } | undefined;
}

/** The forms in which the console reads rows. */
const forms = { timestamps: 'iso', json: 'inline' };
/** Longer addresses are sent in a body. */
const maxAddress = 4_000;

/** Runs an endpoint. @throws Failure; the signal's reason when it is aborted */
export async function runCall(client: Client, call: Call, signal: AbortSignal): Promise<Answer> {
  return answerOf(client, call, { signal });
}

/**
 * The rows of an answer with those of the next page behind them. Rows that are equal in the order of the query may come in another
 * order on pages, so an answer that isn't one is read again as the first page.
 *
 * @throws Failure; the signal's reason when it is aborted
 */
export async function withNextPage(
  client: Client,
  call: Call,
  { before, keys, size }: { readonly before: Answer; readonly keys: PageKeys; readonly size: number },
  signal: AbortSignal,
): Promise<Answer> {
  const page = (cursor?: string) => {
    const place = cursor === undefined ? {} : { [keys.after]: cursor };
    const more = { ...forms, [keys.limit]: String(size), ...place };
    return answerOf(client, call, { signal, more }, keys);
  };
  const first = before.cursor === undefined ? await page() : before;
  if (first.cursor === undefined) return first;
  const next = await page(first.cursor);
  const rows = [...first.rows, ...next.rows];
  return { ...next, rows, facts: { ...next.facts, rows: rows.length } };
}

/**
 * Runs the text of an endpoint's file that isn't served.
 *
 * @param form the form of its rows
 * @throws Failure; the signal's reason when it is aborted
 */
export async function tryText(
  client: Client,
  { name, text }: EditedText,
  values: ParameterValues,
  signal: AbortSignal,
  form: Readonly<Record<keyof typeof forms, string>> = forms,
): Promise<Answer> {
  const parameters = Object.fromEntries<Json>([...values]);
  const body = { name, text, parameters, ...form };
  return readAnswer(() => client.send('/api/drafts/try', { method: 'POST', body, signal }));
}

function answerOf(client: Client, call: Call, options: SendOptions, keys?: PageKeys): Promise<Answer> {
  return readAnswer(() => sendCall(client, call, options), keys);
}

async function readAnswer(send: () => Promise<Response>, keys?: PageKeys): Promise<Answer> {
  const started = performance.now();
  const response = await send();
  const text = await bodyText(response);
  const milliseconds = performance.now() - started;
  const rows = rowsIn(parseJson(text));
  return {
    rows,
    facts: readFacts(response.headers, { rows: rows.length, milliseconds }),
    cursor: keys && cursorIn(response.headers.get('link'), keys),
  };
}

/** The cursor in the link to the next page (RFC 8288). */
function cursorIn(link: string | null, { after }: PageKeys): string | undefined {
  const [, address] = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  return new URL(address, location.origin).searchParams.get(after) ?? undefined;
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters of the gateway itself, such as `format`. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Calls an endpoint, and leaves the body to be read. @throws Failure; the signal's reason when it is aborted */
export async function sendCall(
  client: Client,
  call: Call,
  { signal, accept, headers, more = forms }: SendOptions,
): Promise<Response> {
  const path = callPath(call);
  const { query } = call;
  const own = query ? { [query.language]: query.text } : {};
  const search = new URLSearchParams([...pairsOf(call.values), ...Object.entries({ ...more, ...own })]);
  const address = `${path}?${search}`;
  const init = { signal, ...(accept !== undefined && { accept }), ...(headers && { headers }) };
  // Logs of proxies contain addresses. Queries may contain what they should not, and a field the key itself.
  const holdsKey = [...search.values()].some((value) => value.includes(client.key));
  if (query === undefined && !holdsKey && address.length <= maxAddress) return client.send(address, init);
  const body = Object.fromEntries<Json>([...call.values, ...Object.entries({ ...more, ...own })]);
  return client.send(path, { ...init, method: 'POST', body });
}

/**
 * Asks how many bytes a call would read. Null if the engine can't estimate.
 *
 * @throws Failure; the signal's reason when it is aborted
 */
export async function estimateCall(client: Client, call: Call, signal: AbortSignal): Promise<number | null> {
  const response = await sendCall(client, call, { signal, more: { dry_run: 'true' } });
  const body = parseJson(await bodyText(response));
  const estimate = isObject(body) && isObject(body.dry_run) ? body.dry_run.bytes_processed : undefined;
  return typeof estimate === 'number' || typeof estimate === 'bigint' ? Number(estimate) : null;
}

export function callPath({ endpoint }: Pick<Call, 'endpoint'>): string {
  return `/api/endpoints/query/${encodeURIComponent(endpoint.name)}`;
}

/** The rows of an answer. @throws Failure, also that of an error that the gateway sends with status 200 */
export function rowsIn(body: Json): readonly JsonObject[] {
  const { result, error } = isObject(body) ? body : {};
  if (Array.isArray(result)) return result.filter(isObject);
  if (error !== undefined) throw failureIn(body, { status: 200 });
  throw new Failure('The gateway has answered with something else than rows.', {
    code: 'BAD_ANSWER',
    status: 200,
  });
}
