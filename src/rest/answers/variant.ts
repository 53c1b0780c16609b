import { LRUCache } from 'lru-cache';
import { acceptWeights } from '../../http/accept-weights.ts';
import type { PiiClass } from '../../redaction/pii-class.ts';

/** One of the forms that the answer with a result can have. */
export interface Variant {
  readonly name: string;
  /** What is hidden in it. */
  readonly hidden: readonly PiiClass[];
  /** Whether it is compressed, if it is large enough. */
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

/** By what is hidden; `hiddenClasses` gives one array for each combination. */
const known = new Map<readonly PiiClass[], Forms>();

function formsOf(hidden: readonly PiiClass[]): Forms {
  const before = known.get(hidden);
  if (before !== undefined) return before;
  const forms = { identity: variant(hidden, false), gzip: variant(hidden, true) };
  known.set(hidden, forms);
  return forms;
}

/** Every header of a request that changes which answer it gets, or whether it gets one. */
export const vary = 'Accept-Encoding, LF-ENDPOINT-REDACT-PII, Authorization, X-API-KEY';

/** @param hidden as `hiddenClasses` gives it */
export function variantFor(hidden: readonly PiiClass[], acceptEncoding: string | undefined): Variant {
  const forms = formsOf(hidden);
  return acceptsGzip(acceptEncoding) ? forms.gzip : forms.identity;
}

/** The plain form of a variant. */
export function identityOf({ hidden }: Variant): Variant {
  return formsOf(hidden).identity;
}

/** Callers send a handful of different headers. */
const answers = new LRUCache<string, boolean>({
  max: 100,
  memoMethod(header) {
    const weights = acceptWeights(header);
    return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
  },
});

/** Source: RFC 9110, section 12.5.3: gzip itself, else `*`, with a weight that isn't zero. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && answers.memo(header);
}
