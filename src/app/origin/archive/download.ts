import { megabytes } from '../../../base/forms/bytes.ts';
import { OriginError } from '../tree/origin-error.ts';

/** What is sent for a download. */
export interface DownloadRequest {
  readonly url: string;
  /** Sent to the host of the URL only, not where that redirects to. */
  readonly authorization: string | undefined;
  /** The `ETag` of what is there already. */
  readonly etag?: string | undefined;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** What came. */
export interface Downloaded {
  readonly bytes: Buffer;
  readonly etag: string | undefined;
}

const maxRedirects = 5;

/**
 * Downloads a file.
 *
 * @returns undefined if it is what is there already
 * @throws OriginError, whose message names no URL: it may have secrets
 */
export async function download(request: DownloadRequest): Promise<Downloaded | undefined> {
  const response = await follow(request);
  if (response.status === 304) return undefined;
  if (!response.ok) {
    await response.body?.cancel();
    throw new OriginError('unreachable', `the server answers with status ${response.status}`);
  }
  const bytes = await bodyOf(response, request.maxBytes);
  return { bytes, etag: response.headers.get('etag') ?? undefined };
}

/** Follows redirects by itself: none leads to an unencrypted connection, and credentials stay with the host that they are for. */
async function follow({ url, authorization, etag, signal }: DownloadRequest): Promise<Response> {
  const first = new URL(url);
  let next = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const headers = {
      ...(authorization !== undefined && next.origin === first.origin && { authorization }),
      ...(etag !== undefined && { 'if-none-match': etag }),
    };
    const response = await fetch(next, { headers, redirect: 'manual', signal }).catch(unreachable);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const target = URL.parse(location, next);
    if (target === null || (target.protocol !== 'https:' && target.origin !== first.origin))
      throw new OriginError('unusable', 'the server redirects to a place that is not https');
    next = target;
  }
  throw new OriginError('unusable', `the server redirects more than ${maxRedirects} times`);
}

async function bodyOf({ body }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw new OriginError('unusable', `it is larger than ${megabytes(maxBytes)}`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof OriginError) throw error;
    throw new OriginError('unreachable', `the download was interrupted (${reasonOf(error)})`, error);
  }
  return Buffer.concat(chunks);
}

function unreachable(error: unknown): never {
  throw new OriginError('unreachable', `the server can't be reached (${reasonOf(error)})`, error);
}

/** The code or the message of a failure of `fetch`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it took too long';
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.message;
}
