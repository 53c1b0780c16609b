import type { PiiClass } from '../../../definitions/endpoints/pii-class.ts';
import { acceptsGzip } from '../../http/request/accepts-gzip.ts';
import type { AnswerForm } from './answer-form.ts';

/** One of the forms of the response with a result. */
export interface Variant {
  readonly name: string;
  /** The classes that are hidden. */
  readonly hidden: readonly PiiClass[];
  readonly form: AnswerForm;
  /** Whether it is compressed if it is large enough. */
  readonly isGzip: boolean;
}

interface Variants {
  readonly identity: Variant;
  readonly gzip: Variant;
}

/** By hidden classes, and by form. There are few of both. */
const known = new Map<string, Variants>();

function variantsOf(hidden: readonly PiiClass[], form: AnswerForm): Variants {
  const { format, style } = form;
  const content = hidden.length === 0 ? 'as-is' : `without ${hidden.join()}`;
  const name = `${content} ${format.name} ${style.timestamps} ${style.json}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const identity = { name: `${name} identity`, hidden, form, isGzip: false };
  const variants = { identity, gzip: { ...identity, name: `${name} gzip`, isGzip: !format.isCompressed } };
  known.set(name, variants);
  return variants;
}

/** All request headers that affect which response the caller gets, including whether it is an error. */
export const vary = 'Accept, Accept-Encoding, LF-ENDPOINT-REDACT-PII, Authorization, X-API-KEY';

export function variantFor(
  hidden: readonly PiiClass[],
  form: AnswerForm,
  acceptEncoding: string | undefined,
): Variant {
  const { identity, gzip } = variantsOf(hidden, form);
  return acceptsGzip(acceptEncoding) ? gzip : identity;
}

/** The uncompressed form of a variant. */
export function identityOf({ hidden, form }: Variant): Variant {
  return variantsOf(hidden, form).identity;
}
