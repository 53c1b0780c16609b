import { MIMEType } from 'node:util';
import { GatewayError } from '../../../base/errors/errors.ts';

interface MediaType {
  /** `type/subtype`, in lower case. */
  readonly essence: string;
  /** The complete header, including parameters. */
  readonly header: string;
}

/** Character sets that are UTF-8 or a subset of it. */
const utf8Names: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

/**
 * Parses a `Content-Type` header; undefined if there is none.
 *
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE for a malformed header or a character set other than UTF-8
 */
export function readMediaType(header: string | undefined): MediaType | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const type = parse(header);
  const charset = type?.params.get('charset')?.toLowerCase();
  if (type === undefined || (charset != null && !utf8Names.has(charset))) throw unsupportedMediaType(header);
  return { essence: type.essence.toLowerCase(), header };
}

/** Whether the body is a JSON text. */
export function isJson({ essence }: MediaType): boolean {
  return essence === 'application/json' || essence.endsWith('+json');
}

export function unsupportedMediaType(header: string): GatewayError {
  return new GatewayError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The content type ${JSON.stringify(header)} is not supported.`,
  );
}

function parse(header: string): MIMEType | undefined {
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}
