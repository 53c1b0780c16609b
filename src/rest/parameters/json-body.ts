import { GatewayError } from '../../errors.ts';
import { checkNesting } from '../../http/json-nesting.ts';
import { jsonMembers } from './json-members.ts';
import { notOneText } from './text-pairs.ts';

/**
 * The wanted keys of a JSON object. Strings become texts, numbers and booleans keep their JSON text with every digit,
 * null stays null. An empty body, or JSON that is not an object, has no keys.
 *
 * @throws GatewayError BAD_USER_INPUT when the body is not JSON in UTF-8 or is nested too deeply, or naming a wanted
 *   key that contains a list or an object
 */
export async function parseJsonBody(
  bytes: Buffer,
  wanted: ReadonlySet<string>,
): Promise<Map<string, string | null>> {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return new Map();
  checkNesting(text);
  return new Map([...(await membersOf(text, wanted))].map(([key, source]) => [key, asText(key, source)]));
}

/** @param source the member's value as written in the body */
function asText(key: string, source: string): string | null {
  if (source.startsWith('"')) return String(JSON.parse(source));
  if (source.startsWith('{') || source.startsWith('[')) throw notOneText(key);
  return source === 'null' ? null : source;
}

async function membersOf(text: string, wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
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
