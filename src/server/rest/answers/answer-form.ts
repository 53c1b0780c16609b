import { GatewayError } from '../../../base/errors/errors.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { type Format, type FormatName, formatNames } from '../../../rows/formats/format.ts';
import { formats } from '../../../rows/formats/formats.ts';
import {
  type JsonStyle,
  jsonChoices,
  jsonStyle,
  timestampChoices,
} from '../../../rows/formats/render/json-style.ts';
import { acceptWeights } from '../../http/request/accept-weights.ts';

/** The form in which a request asks for its rows. */
export interface AnswerForm {
  readonly format: Format;
  readonly style: JsonStyle;
}

/** The request keys that choose the form, with their values, the default first. */
export const formChoices = { format: formatNames, timestamps: timestampChoices, json: jsonChoices } as const;

type FormKey = keyof typeof formChoices;

/** The request keys that choose the form. */
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

/** The only value that is true of a format; either is possible in the others. */
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
