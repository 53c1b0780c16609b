import { GatewayError } from '../../../base/errors/errors.ts';
import type { GivenParameters } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import {
  givenAsTexts,
  notOneText,
  type ReadParameter,
} from '../../../definitions/endpoints/parameters/read-given.ts';
import { badValue, shown } from '../../../definitions/endpoints/parameters/rules.ts';
import { percentDecode } from '../../http/request/request-target.ts';

/** Fields of a form: parsing a hundred thousand would block the event loop for seconds. */
export const maxFormFields = 1_000;

/** Keys and values in the order of the request. Keys may repeat. */
type TextPairs = Iterable<readonly [key: string, value: string]>;

/**
 * Parses a query string or a form-encoded body, given with one character for each byte. A plus sign is a space, and a
 * key without `=` has an empty text.
 *
 * @throws GatewayError BAD_USER_INPUT naming the key whose escapes are malformed or not UTF-8
 */
export function decodePairs(encoded: string): [string, string][] {
  return encoded
    .split('&')
    .filter((piece) => piece !== '')
    .map(decodePair);
}

function decodePair(piece: string): [string, string] {
  const spaced = piece.replaceAll('+', ' ');
  const equals = spaced.indexOf('=');
  const encodedKey = equals === -1 ? spaced : spaced.slice(0, equals);
  const key = percentDecode(encodedKey);
  const value = equals === -1 ? '' : percentDecode(spaced.slice(equals + 1));
  if (key === undefined || value === undefined) {
    const shownKey = JSON.stringify((key ?? encodedKey).slice(0, 60));
    throw new GatewayError('BAD_USER_INPUT', `Key ${shownKey}: the percent-encoding is not valid UTF-8.`);
  }
  return [key, value];
}

/** @throws GatewayError BAD_USER_INPUT when a form has too many fields */
export function checkFieldCount(count: number): void {
  if (count <= maxFormFields) return;
  const limit = maxFormFields.toLocaleString('en');
  throw new GatewayError('BAD_USER_INPUT', `The form has more than ${limit} fields.`);
}

/**
 * Selects the wanted keys, with the texts of a repeated key in their order.
 *
 * @throws GatewayError BAD_USER_INPUT naming a wanted key that is given as `key[]` or `key[part]`
 */
export function pickWanted(pairs: TextPairs, wanted: WantedKeys): GivenParameters {
  const picked = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    if (!wanted.has(key)) refuseBrackets(key, wanted);
    else if (picked.get(key)?.push(value) === undefined) picked.set(key, [value]);
  }
  return new Map(
    [...wanted].flatMap(([key, parameter]) => {
      const texts = picked.get(key);
      return texts === undefined ? [] : [[key, givenAsTexts(parameter, texts)] as const];
    }),
  );
}

function refuseBrackets(key: string, wanted: WantedKeys): void {
  const bracket = key.indexOf('[');
  const parameter = wanted.get(key.slice(0, Math.max(bracket, 0)));
  if (parameter === undefined) return;
  const { name, type } = parameter;
  if (type.kind !== 'ARRAY') throw notOneText(name);
  throw badValue(name, `: write ${name}=a&${name}=b, or one JSON array, instead of ${shown(key)}`);
}

/** The keys of a request that are read, with the types of their values. */
export type WantedKeys = ReadonlyMap<string, ReadParameter>;

export function wantedKeys(parameters: readonly ReadParameter[], others: readonly string[] = []): WantedKeys {
  const texts = others.map((name) => ({ name, type: { kind: 'STRING' } }) as const);
  return new Map([...parameters, ...texts].map((parameter) => [parameter.name, parameter]));
}
