import { acceptWeights } from '../../http/accept-weights.ts';

/** One of the forms that the answer with a result can have. */
export interface Variant {
  readonly name: string;
  readonly isRedacted: boolean;
  /** Whether it is compressed, if it is large enough. */
  readonly isGzip: boolean;
}

function variant(isRedacted: boolean, isGzip: boolean): Variant {
  return { name: `${isRedacted ? 'redacted' : 'as-is'} ${isGzip ? 'gzip' : 'identity'}`, isRedacted, isGzip };
}

const asIs = { identity: variant(false, false), gzip: variant(false, true) };
const redacted = { identity: variant(true, false), gzip: variant(true, true) };

/** Every header of a request that changes which answer it gets, or whether it gets one. */
export const vary = 'Accept-Encoding, LF-ENDPOINT-REDACT-PII, Authorization, X-API-KEY';

export function variantFor(isRedacted: boolean, acceptEncoding: string | undefined): Variant {
  const forms = isRedacted ? redacted : asIs;
  return acceptsGzip(acceptEncoding) ? forms.gzip : forms.identity;
}

/** The plain form of a variant. */
export function identityOf({ isRedacted }: Variant): Variant {
  return isRedacted ? redacted.identity : asIs.identity;
}

const remembered = new Map<string, boolean>();
/** Callers send a handful of different headers. */
const mostRemembered = 100;

/** Source: RFC 9110, section 12.5.3: gzip itself, else `*`, with a weight that isn't zero. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const known = remembered.get(header);
  if (known !== undefined) return known;
  const weights = acceptWeights(header);
  const accepts = (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
  if (remembered.size >= mostRemembered) remembered.clear();
  if (header.length < 1000) remembered.set(header, accepts);
  return accepts;
}
