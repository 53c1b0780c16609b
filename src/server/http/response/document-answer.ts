import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsGzip } from '../request/accept.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { entityTag, listsEntityTag } from './entity-tag.ts';

const compress = promisify(gzip);

/**
 * The answer with a document as JSON, compressed if the client accepts it. Its entity tag changes with its content;
 * status 304 if the client has it.
 */
export async function documentAnswer({ headers }: IncomingMessage, document: object): Promise<Answer> {
  const json = Buffer.from(JSON.stringify(document));
  const isGzip = acceptsGzip(headers['accept-encoding']);
  const etag = entityTag(isGzip ? 'gzip' : 'identity', json);
  const common = {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding, Authorization, X-API-KEY',
  };
  const known = headers['if-none-match'];
  if (known !== undefined && listsEntityTag(known, etag)) return { status: 304, headers: common, body: '' };
  if (!isGzip) return jsonAnswer(200, json, common);
  return jsonAnswer(200, await compress(json), { ...common, 'Content-Encoding': 'gzip' });
}
