import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto';
import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';
import type { Place } from './page.ts';

/** What a cursor belongs to. It is refused for anything else. */
export interface CursorScope {
  /** Identifies the endpoint, the values of its parameters, the query and the restrictions of the key. */
  readonly request: string;
  /** Identifies the version of the endpoint. */
  readonly version: string;
}

/** Changes with the form of cursors. */
const form = 1;

/** The longest cursor, in characters: it has room in a URL beside other parameters. */
const maxLength = 8_000;

/** Bytes of the signature, which is also the initialisation vector of the cipher. */
const signatureBytes = 16;

const content = z.tuple([
  z.literal(form),
  z.string(),
  z.string(),
  z.string(),
  z.int().min(0),
  z.array(z.union([z.string(), z.boolean(), z.null()])),
]);

/**
 * Makes and opens the cursors of pages: places in a result as texts that only the gateway can read or make. They are encrypted, since
 * the values by which rows are ordered may be hidden from their caller, and the signature of the content is the initialisation vector, as in
 * SIV (https://www.rfc-editor.org/rfc/rfc5297). So equal places have equal cursors, and no randomness is needed.
 */
export class Cursors {
  readonly #signing: Buffer;
  readonly #encrypting: Buffer;

  /** @param secret shared by all replicas; the same after a restart */
  constructor(secret: string) {
    const derived = (use: string) =>
      Buffer.from(hkdfSync('sha256', secret, '', `endpoint-gateway ${use} of cursors`, 32));
    this.#signing = derived('signatures');
    this.#encrypting = derived('encryption');
  }

  /** @throws GatewayError QUERY_FAILED if the values are too long */
  seal({ request, version }: CursorScope, { values, order, walked }: Place): string {
    const plain = JSON.stringify([form, digest(request), digest(version), order, walked, values]);
    const signature = this.#signatureOf(plain);
    const cipher = createCipheriv('aes-256-ctr', this.#encrypting, signature);
    const text = Buffer.concat([signature, cipher.update(plain, 'utf8'), cipher.final()]).toString(
      'base64url',
    );
    if (text.length <= maxLength) return text;
    throw new GatewayError(
      'QUERY_FAILED',
      `A row can't be the end of a page: the values by which it is ordered are longer than a cursor may be (${maxLength} characters).`,
    );
  }

  /** @throws GatewayError INVALID_CURSOR */
  open(scope: CursorScope, text: string): Place {
    const opened = this.#opened(text);
    if (opened === undefined) throw invalidCursor('it is not a cursor of this gateway, or it is damaged');
    const [, request, version, order, walked, values] = opened;
    if (request !== digest(scope.request))
      throw invalidCursor(
        'it belongs to another request: to another endpoint, query, value of a parameter, or key',
      );
    if (version !== digest(scope.version))
      throw invalidCursor('the endpoint has changed since. Begin with the first page again');
    return { values, order, walked };
  }

  #opened(text: string): z.infer<typeof content> | undefined {
    if (text.length > maxLength || !/^[\w-]+$/.test(text)) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    // Another text of the same bytes is no cursor that the gateway made.
    if (bytes.length <= signatureBytes || bytes.toString('base64url') !== text) return undefined;
    const signature = bytes.subarray(0, signatureBytes);
    const cipher = createDecipheriv('aes-256-ctr', this.#encrypting, signature);
    const plain = Buffer.concat([cipher.update(bytes.subarray(signatureBytes)), cipher.final()]);
    if (!timingSafeEqual(signature, this.#signatureOf(plain))) return undefined;
    return content.safeParse(parsedJson(plain.toString())).data;
  }

  #signatureOf(plain: string | Buffer): Buffer {
    return createHmac('sha256', this.#signing).update(plain).digest().subarray(0, signatureBytes);
  }
}

/** The error for a cursor that leads nowhere. */
export function invalidCursor(why: string): GatewayError {
  return new GatewayError('INVALID_CURSOR', `The cursor is not valid: ${why}.`);
}

/** A digest that is long enough to tell apart what cursors belong to. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
