import { LRUCache } from 'lru-cache';
import { acceptWeights } from '../../http/accept-weights.ts';
import type { PiiClass } from '../../redaction/pii-class.ts';

/** One of the forms of the response with a result. */
export interface Variant {
  readonly name: string;
  /** The classes that are hidden. */
  readonly hidden: readonly PiiClass[];
  /** Whether it is compressed if it is large enough. */
  readonly isGzip: boolean;
}

function variant(hidden: readonly PiiClass[], isGzip: boolean): Variant {
  const content = hidden.length === 0 ? 'as-is' : `without ${hidden.join()}`;
  return { name: `${content} ${isGzip ? 'gzip' : 'identity'}`, hidden, isGzip };
}

interface Forms {
  readonly identity: Variant;
  readonly gzip: Variant;
}

/** By hidden classes; `hiddenClasses` returns the same array for the same combination. */
const known = new Map<readonly PiiClass[], Forms>();

function formsOf(hidden: readonly PiiClass[]): Forms {
  const before = known.get(hidden);
  if (before !== undefined) return before;
  const forms = { identity: variant(hidden, false), gzip: variant(hidden, true) };
  known.set(hidden, forms);
  return forms;
}

/** All request headers that affect which response the caller gets, including whether it is an error. */
export const vary = 'Accept-Encoding, LF-ENDPOINT-REDACT-PII, Authorization, X-API-KEY';

/** @param hidden an array that `hiddenClasses` returned */
export function variantFor(hidden: readonly PiiClass[], acceptEncoding: string | undefined): Variant {
  const forms = formsOf(hidden);
  return acceptsGzip(acceptEncoding) ? forms.gzip : forms.identity;
}

/** The uncompressed form of a variant. */
export function identityOf({ hidden }: Variant): Variant {
  return formsOf(hidden).identity;
}

/** Clients send only a handful of different headers. */
const answers = new LRUCache<string, boolean>({
  max: 100,
  memoMethod(header) {
    const weights = acceptWeights(header);
    return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
  },
});

/** Source: RFC 9110, section 12.5.3: the weight of gzip, else of `*`, must not be zero. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && answers.memo(header);
}
