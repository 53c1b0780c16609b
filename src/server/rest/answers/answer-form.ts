import { GatewayError } from '../../../base/errors/errors.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { PiiClass } from '../../../definitions/endpoints/pii-class.ts';
import { type Format, type FormatName, formatNames } from '../../../rows/formats/format.ts';
import { formats } from '../../../rows/formats/formats.ts';
import {
  type JsonStyle,
  jsonChoices,
  jsonStyle,
  timestampChoices,
} from '../../../rows/formats/render/json-style.ts';
import { acceptsGzip, acceptWeights } from '../../http/request/accept.ts';

/** The form in which a request asks for its rows. */
export interface AnswerForm {
  readonly format: Format;
  readonly style: JsonStyle;
}

/** The request keys that choose the form, with their values, the default first. */
export const formChoices = { format: formatNames, timestamps: timestampChoices, json: jsonChoices } as const;

type FormKey = keyof typeof formChoices;

export const formKeys = Object.keys(formChoices) as FormKey[];

/**
 * The form that the parameters `format`, `timestamps` and `json` ask for, or else `Accept`.
 *
 * @throws GatewayError BAD_USER_INPUT for an unknown value, or one that the format can't have; NOT_ACCEPTABLE when `Accept`
 *   has no known format
 */
export function answerForm(given: GivenParameters, accept: string | undefined): AnswerForm {
  const chosen = choice(given, 'format');
  const timestamps = choice(given, 'timestamps');
  const json = choice(given, 'json');
  const format = chosen === undefined ? acceptedFormat(accept) : formats[chosen];
  requirePossible(format, 'timestamps', timestamps);
  requirePossible(format, 'json', json);
  return { format, style: jsonStyle({ ...(timestamps && { timestamps }), ...(json && { json }) }) };
}

/** Formats that have one form of such values. The other formats have both. */
const onlyValues: Readonly<
  Partial<Record<FormatName, { readonly [Key in 'timestamps' | 'json']: Choice<Key> }>>
> = {
  csv: { timestamps: 'iso', json: 'text' },
  parquet: { timestamps: 'micros', json: 'text' },
  arrow: { timestamps: 'micros', json: 'text' },
};

function requirePossible(
  { name }: Format,
  key: 'timestamps' | 'json',
  value: Choice<typeof key> | undefined,
): void {
  const only = onlyValues[name]?.[key];
  if (value === undefined || only === undefined || value === only) return;
  const message = `Parameter "${key}": the format ${name} can't have ${JSON.stringify(value)}. Leave the parameter out, or choose the format json or ndjson.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: key });
}

type Choice<Key extends FormKey> = (typeof formChoices)[Key][number];

function choice<Key extends FormKey>(given: GivenParameters, key: Key): Choice<Key> | undefined {
  const [text] = textsIn(given.get(key) ?? null);
  if (text === undefined) return undefined;
  const choices: readonly Choice<Key>[] = formChoices[key];
  const chosen = choices.find((each) => each === text);
  if (chosen !== undefined) return chosen;
  const message = `Parameter "${key}": expected ${listed(choices)}, got ${JSON.stringify(text.slice(0, 60))}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: key });
}

function listed(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}

/** The format with the highest weight; JSON among equals. Source: RFC 9110, section 12.5.1. */
function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined || accept.trim() === '') return formats.json;
  const weights = acceptWeights(accept);
  const weightOf = ({ mediaTypes }: Format) =>
    Math.max(...mediaTypes.map((type) => weightOfType(type, weights)));
  const best = formatNames
    .map((name) => ({ format: formats[name], weight: weightOf(formats[name]) }))
    .reduce((before, each) => (each.weight > before.weight ? each : before));
  if (best.weight > 0) return best.format;
  const types = formatNames.map((name) => formats[name].mediaTypes[0]);
  const message = `The header Accept allows none of the formats: ${types.join(', ')}.`;
  throw new GatewayError('NOT_ACCEPTABLE', message);
}

/** The most specific range counts. */
function weightOfType(type: string, weights: ReadonlyMap<string, number>): number {
  const [group = ''] = type.split('/');
  return weights.get(type) ?? weights.get(`${group}/*`) ?? weights.get('*/*') ?? 0;
}

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

/** By name. There are few combinations of hidden classes and forms. */
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
export const vary =
  'Accept, Accept-Encoding, LF-ENDPOINT-REDACT-PII, LF-Endpoint-Version, Authorization, X-API-KEY';

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
