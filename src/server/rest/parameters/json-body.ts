import { GatewayError } from '../../../base/errors/errors.ts';
import { badValue } from '../../../definitions/endpoints/parameters/bad-value.ts';
import { givenAsJson } from '../../../definitions/endpoints/parameters/read-given.ts';
import { checkNesting } from '../../http/body/json-nesting.ts';
import { type JsonMembers, jsonMembers } from './json-members.ts';
import { nothingRead, type ReadParameters } from './read-keys.ts';
import type { WantedKeys } from './wanted-keys.ts';

/**
 * The keys of a JSON object. An empty body, or JSON that is not an object, has no keys.
 *
 * @throws GatewayError BAD_USER_INPUT when the body is not JSON in UTF-8 or is nested too deeply, or naming a wanted
 *   key that is given several times, or with a list or an object that doesn't fit its type
 */
export async function parseJsonBody(bytes: Buffer, wanted: WantedKeys): Promise<ReadParameters> {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return nothingRead;
  checkNesting(text);
  const members = await membersOf(text, new Set(wanted.keys()));
  const [repeated] = members.repeated;
  if (repeated !== undefined) throw badValue(repeated, ': given several times in the body');
  const given = [...wanted].flatMap(([key, parameter]) => {
    const source = members.wanted.get(key);
    return source === undefined ? [] : [[key, givenAsJson(parameter, source)] as const];
  });
  return { given: new Map(given), ignored: members.others };
}

async function membersOf(text: string, wanted: ReadonlySet<string>): Promise<JsonMembers> {
  try {
    return await jsonMembers(text, wanted);
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid JSON.', { cause: error });
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.', { cause: error });
  }
}
