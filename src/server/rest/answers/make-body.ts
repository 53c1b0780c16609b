import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { create } from 'content-disposition';
import type { Account } from '../../../base/fairness/account.ts';
import { answerTurns, largeAnswerBytes } from '../../../base/memory/large-answers.ts';
import { ownMemory } from '../../../base/system/own-memory.ts';
import type { ReadyBody } from '../../../calls/executor/flights/bodies.ts';
import type { ShownRows } from '../../../calls/executor/shown-rows.ts';
import { answerTooLarge, maxAnswerBytes } from '../../../engines/engine/result-size.ts';
import type { Format } from '../../../rows/formats/format.ts';
import type { ColumnBatch } from '../../../sql/columns/column-batch.ts';
import { columnsOfRows } from '../../../sql/columns/columns-of-rows.ts';
import type { Column } from '../../../sql/values/type.ts';
import type { Row } from '../../../sql/values/value.ts';
import { gzipLevel, worthCompressing } from '../../http/request/accept.ts';
import { entityTag } from '../../http/response/entity-tag.ts';
import { identityOf, type Variant, vary } from './answer-form.ts';

const compress = promisify(gzip);

/** From this size in bytes on, the event loop gets a turn before the entity tag is computed. */
const large = 500_000;

/** Headers of every response with a result, including 304. Names and values alternate. */
export const varyHeaders: readonly string[] = ['Vary', vary];

/**
 * The variant of the body with these rows. It is rendered once and then shared.
 *
 * @param name the endpoint's, for the name of a file
 * @param account that takes its turn before a large body is rendered
 * @throws GatewayError QUERY_FAILED when the response is too large; the signal's reason when it is aborted
 */
export function bodyOf(
  name: string,
  rows: ShownRows,
  variant: Variant,
  signal: AbortSignal,
  account: Account,
): Promise<ReadyBody> {
  const { truncated } = rows;
  return rows.body(variant.name, signal, async (wanted) => {
    using turn = new DisposableStack();
    const plain = await render(rows, variant, wanted, async () => {
      turn.use(await answerTurns.take(account, wanted));
    });
    if (!variant.isGzip || plain.length >= worthCompressing)
      return readyBody(name, truncated, variant, plain);
    const identity = identityOf(variant);
    return rows.body(identity.name, wanted, () => readyBody(name, truncated, identity, plain));
  });
}

/**
 * A body with its headers, compressed if its variant is and it is large enough.
 *
 * @param endpoint its name, for the name of a file
 */
export async function readyBody(
  endpoint: string,
  truncated: boolean,
  variant: Variant,
  plain: Buffer,
): Promise<ReadyBody> {
  const isGzip = variant.isGzip && plain.length >= worthCompressing;
  const { name, form } = isGzip ? variant : identityOf(variant);
  const bytes = ownMemory(isGzip ? await compress(plain, { level: gzipLevel }) : plain);
  const etag = entityTag(truncated ? `${name} truncated` : name, bytes);
  const headers = [
    ...['Content-Type', form.format.contentType, 'Content-Length', String(bytes.length), 'ETag', etag],
    ...fileHeaders(endpoint, form.format),
    ...(isGzip ? ['Content-Encoding', 'gzip'] : []),
    ...(truncated ? ['X-Result-Truncated', 'true'] : []),
  ];
  return { bytes, etag, headers };
}

async function render(
  rows: ShownRows,
  { form: { format, style } }: Variant,
  signal: AbortSignal,
  whenLarge: () => Promise<void>,
): Promise<Buffer> {
  const { columns } = rows;
  const chunks = rows.chunks(signal);
  const body = await gather(
    format.source === 'rows'
      ? format.encode(columns, chunks, style)
      : format.encode(columns, asColumns(columns, chunks), style),
    whenLarge,
  );
  if (body.length >= large) await setImmediate();
  return body;
}

async function* asColumns(
  columns: readonly Column[],
  chunks: AsyncIterable<readonly Row[]>,
): AsyncGenerator<ColumnBatch> {
  for await (const rows of chunks) yield columnsOfRows(columns, rows);
}

/**
 * Collects the pieces of a body.
 *
 * @param whenLarge called once, before much memory is used
 * @throws GatewayError QUERY_FAILED when they are larger than `maxAnswerBytes`
 */
export async function gather(
  pieces: AsyncIterable<Uint8Array>,
  whenLarge?: () => Promise<void>,
): Promise<Buffer> {
  const gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const isFirstLarge = size <= largeAnswerBytes && size + piece.length > largeAnswerBytes;
    size += piece.length;
    if (size > maxAnswerBytes) throw answerTooLarge();
    // The encoder may reuse its memory for the next piece.
    gathered.push(Buffer.from(piece));
    if (isFirstLarge) await whenLarge?.();
  }
  return Buffer.concat(gathered, size);
}

/** Characters that file names can't contain on some systems. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unfit = /[\\/:*?"<>|\u0000-\u001f]/g;

/**
 * The header with the name of a file for a result. None for JSON, which clients show instead of storing. Name and value
 * alternate.
 */
export function fileHeaders(endpoint: string, { name }: Format): readonly string[] {
  if (name === 'json') return [];
  return ['Content-Disposition', create(`${endpoint.replace(unfit, '-')}.${name}`)];
}
