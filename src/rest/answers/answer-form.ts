import { type GivenParameters, textsIn } from '../../endpoints/parameters/given.ts';
import { GatewayError } from '../../errors.ts';
import { acceptWeights } from '../../http/accept-weights.ts';
import { type Format, formatNames } from '../formats/format.ts';
import { formats } from '../formats/formats.ts';
import { type JsonStyle, jsonStyle } from '../render/json-style.ts';

/** The form in which a request asks for its rows. */
export interface AnswerForm {
  readonly format: Format;
  readonly style: JsonStyle;
}

/** The request keys that choose the form. */
export const formKeys = ['format', 'timestamps', 'json'] as const;

/**
 * The form that the parameters `format`, `timestamps` and `json` ask for, or else `Accept`.
 *
 * @throws GatewayError BAD_USER_INPUT for an unknown value; NOT_ACCEPTABLE when `Accept` has no known format
 */
export function answerForm(given: GivenParameters, accept: string | undefined): AnswerForm {
  const format = choice(given, 'format', formatNames);
  const timestamps = choice(given, 'timestamps', ['micros', 'iso']);
  const json = choice(given, 'json', ['text', 'inline']);
  return {
    format: format === undefined ? acceptedFormat(accept) : formats[format],
    style: jsonStyle({ ...(timestamps && { timestamps }), ...(json && { json }) }),
  };
}

function choice<Choice extends string>(
  given: GivenParameters,
  key: (typeof formKeys)[number],
  choices: readonly Choice[],
): Choice | undefined {
  const [text] = textsIn(given.get(key) ?? null);
  if (text === undefined) return undefined;
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
