import { jsonElements } from '../../../base/text/json-tokens.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import type { EndpointParameter, GivenValue } from './endpoint-parameter.ts';
import { maxItemsOf, typeOfTexts } from './endpoint-parameter.ts';
import { badValue, ofElement, shown, tooManyItems } from './rules.ts';

/** What reading a parameter's value requires to know of it. */
export type ReadParameter = Pick<EndpointParameter, 'name' | 'type' | 'maxItems'>;

/**
 * The value in a query string or a form, where a key can repeat. For an array, each text is an element. A single text that
 * starts with `[` is a JSON array, and a single empty one is absent. Other types take one text.
 *
 * @param texts at least one
 * @throws GatewayError BAD_USER_INPUT
 */
export function givenAsTexts(parameter: ReadParameter, texts: readonly string[]): GivenValue {
  const [first = ''] = texts;
  if (parameter.type.kind !== 'ARRAY') {
    if (texts.length > 1)
      throw badValue(parameter.name, `: given ${texts.length} times, but it takes one value`);
    return first;
  }
  if (texts.length > 1) return texts;
  if (first === '') return null;
  return first.trimStart().startsWith('[') ? elementsOf(parameter, first) : texts;
}

/**
 * The value in a JSON body. Strings are texts. Numbers and booleans keep their JSON text with every digit. A list is an
 * array, and a parameter of type JSON takes any JSON.
 *
 * @param source valid JSON, as written
 * @throws GatewayError BAD_USER_INPUT
 */
export function givenAsJson(parameter: ReadParameter, source: string): GivenValue {
  if (source === 'null') return null;
  if (source.startsWith('"')) return givenAsTexts(parameter, [String(JSON.parse(source))]);
  if (parameter.type.kind === 'ARRAY' && source.startsWith('[')) return elementsOf(parameter, source);
  if (isNested(source) && typeOfTexts(parameter.type).kind !== 'JSON') {
    throw badValue(parameter.name, notOneValue);
  }
  return parameter.type.kind === 'ARRAY' ? [source] : source;
}

const notOneValue = ': expected one value, not a list or an object';

/** The error for a list or an object where a parameter takes one value. */
export function notOneText(parameter: string) {
  return badValue(parameter, notOneValue);
}

function isNested(source: string): boolean {
  return source.startsWith('{') || source.startsWith('[');
}

/** The elements of a JSON array. Those of type JSON stay as written, so that a string among them is a JSON string. */
function elementsOf(parameter: ReadParameter, source: string): readonly string[] {
  const isJson = typeOfTexts(parameter.type).kind === 'JSON';
  const maxItems = maxItemsOf(parameter);
  const texts: string[] = [];
  const sources = jsonElements(source);
  if (sources === undefined) throw notAnArray(parameter, source);
  for (const element of sources) {
    if (texts.length === maxItems) throw badValue(parameter.name, tooManyItems(maxItems));
    const number = texts.length + 1;
    const value = parsedJson(element);
    if (value === undefined) throw notAnArray(parameter, source);
    if (isJson) texts.push(element);
    else if (value === null) throw badValue(parameter.name, ofElement(number, ' must not be null'));
    else if (typeof value === 'object') throw badValue(parameter.name, ofElement(number, notOneValue));
    else texts.push(typeof value === 'string' ? value : element);
  }
  return texts;
}

function notAnArray({ name }: ReadParameter, source: string) {
  return badValue(name, `: expected a JSON array, because it starts with [, got ${shown(source)}`);
}

/** The texts by which {@link givenAsTexts} reads a value: one for each repetition of the key. */
export function textsToGive({ type }: Pick<EndpointParameter, 'type'>, given: string | readonly string[]) {
  if (typeof given === 'string') return [given];
  const [first = ''] = given;
  const isReadAsElements = given.length > 1 || (given.length === 1 && first !== '' && !/^\s*\[/.test(first));
  if (isReadAsElements) return given;
  const isJson = typeOfTexts(type).kind === 'JSON';
  return [isJson ? `[${given.join(',')}]` : JSON.stringify(given)];
}
