import { endOfString } from '../../http/json-strings.ts';

const number = /[-+.\deE]+/y;

/**
 * The numbers among the members of a JSON object as they are written, with every digit, by their keys; of a repeated key, the
 * last number. It takes a fraction of what parsing with a reviver does, which asks about every value at any depth.
 *
 * @param json an object that is known to be valid
 */
export function numberTexts(json: string): Map<string, string> {
  const texts = new Map<string, string>();
  let depth = 0;
  let key: string | undefined;
  for (let place = 0; place < json.length; place++) {
    const character = json[place] ?? '';
    if (character === '"') {
      const end = endOfString(json, place);
      if (depth === 1) key ??= json.slice(place, end);
      place = end - 1;
    } else if (character === '{' || character === '[') {
      depth++;
    } else if (character === '}' || character === ']') {
      depth--;
    } else if (depth === 1 && character === ',') {
      key = undefined;
    } else if (depth === 1 && key !== undefined && /[-\d]/.test(character)) {
      number.lastIndex = place;
      const text = number.exec(json)?.[0] ?? '';
      texts.set(String(JSON.parse(key)), text);
      place += text.length - 1;
    }
  }
  return texts;
}
