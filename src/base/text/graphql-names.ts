/**
 * Converts SQL names to GraphQL names, which consist of ASCII letters, digits and `_` and don't start with a digit. Any
 * other ASCII character separates words; capitals inside a word stay. A name with other letters or digits (`größe`) has
 * no GraphQL name: dropping them would make a different word.
 */
const words = /[A-Za-z0-9]+/g;
const unspeakable = /[^\P{L}A-Za-z]|[^\P{N}0-9]/u;

/** `total_rest_requests` becomes `totalRestRequests`. Undefined if there is no GraphQL name. */
export function fieldName(sqlName: string): string | undefined {
  const parts = wordsOf(sqlName);
  if (parts === undefined) return undefined;
  const [first = '', ...rest] = parts;
  // One leading underscore is part of the name. Two are reserved by GraphQL.
  const lead = sqlName.startsWith('_') ? '_' : '';
  return startingWell(lead + uncapitalized(first) + rest.map(capitalized).join(''));
}

/** `usageApiCounts` becomes `UsageApiCounts`. Names without a word, such as `_`, become `_`. */
export function typeName(...names: readonly string[]): string {
  const parts = names.flatMap((name) => wordsOf(name) ?? []);
  return parts.length === 0 ? '_' : startingWell(parts.map(capitalized).join(''));
}

/** `dark-blue` becomes `DARK_BLUE`. Undefined if there is no GraphQL name. */
export function enumMember(value: string): string | undefined {
  const parts = wordsOf(value);
  return parts && startingWell(parts.map((part) => part.toUpperCase()).join('_'));
}

function wordsOf(name: string): readonly string[] | undefined {
  if (unspeakable.test(name)) return undefined;
  return name.match(words) ?? undefined;
}

/** A word in capitals becomes lower case, except the first: `user_ID` becomes `userId`. */
function capitalized(word: string): string {
  const rest = word.slice(1);
  return word.charAt(0).toUpperCase() + (word === word.toUpperCase() ? rest.toLowerCase() : rest);
}

/** Leading capitals are one word or an abbreviation: `ID` becomes `id`, `HTTPStatus` becomes `httpStatus`. */
function uncapitalized(word: string): string {
  return word.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

function startingWell(name: string): string {
  return /^\d/.test(name) ? `_${name}` : name;
}
