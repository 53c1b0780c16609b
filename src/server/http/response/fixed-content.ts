import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptWeights } from '../request/accept.ts';
import type { Answer } from './answer.ts';
import { entityTag, listsEntityTag } from './entity-tag.ts';

/** Best first. */
const encodings = ['br', 'gzip', 'identity'] as const;

const compressors: Readonly<Record<Encoding, (text: Buffer) => Promise<Buffer>>> = {
  // Higher levels save little and take seconds (measured).
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: promisify(gzip),
  identity: async (text) => text,
};

interface Representation {
  readonly etag: string;
  /** Compressed when it is first sent. */
  body?: Promise<Buffer>;
}

/** Content that is the same for all callers, such as a page. Each encoding is hashed and compressed once. */
export class FixedContent {
  readonly #content: Buffer;
  readonly #mediaType: string;
  readonly #representations = new Map<Encoding, Representation>();

  constructor(content: Buffer, mediaType: string) {
    this.#content = content;
    this.#mediaType = mediaType;
  }

  /**
   * The answer in the best encoding that the client accepts; status 304 if the client has it.
   *
   * @param more headers of every answer
   */
  async answer({ headers }: IncomingMessage, more: Answer['headers']): Promise<Answer> {
    const encoding = chooseEncoding(headers['accept-encoding']);
    const representation = this.#representation(encoding);
    const common = { ...more, ETag: representation.etag };
    const known = headers['if-none-match'];
    if (known !== undefined && listsEntityTag(known, representation.etag)) {
      return { status: 304, headers: common, body: '' };
    }
    representation.body ??= encode(this.#content, encoding);
    const own = {
      'Content-Type': this.#mediaType,
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    };
    return { status: 200, headers: { ...common, ...own }, body: await representation.body };
  }

  #representation(encoding: Encoding): Representation {
    const known = this.#representations.get(encoding);
    if (known !== undefined) return known;
    const representation: Representation = { etag: entityTag(encoding, this.#content) };
    this.#representations.set(encoding, representation);
    return representation;
  }
}

type Encoding = (typeof encodings)[number];

/** The best encoding that an `Accept-Encoding` header allows. Source: RFC 9110, section 12.5.3. */
function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = acceptWeights(acceptEncoding);
  const allowed = encodings.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0);
  return allowed ?? 'identity';
}

function encode(text: Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](text);
}
