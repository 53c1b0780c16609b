/**
 * How the names of SQL become names of GraphQL, which hold ASCII letters, digits and `_` and start with no digit.
 * Whatever else stands in a name separates words; capitals inside a word stay as they are. A name with other
 * letters or digits (`größe`) can't be held: dropping them would make another word of it.
 */
const words = /[A-Za-z0-9]+/g;
const unspeakable = /[^\P{L}A-Za-z]|[^\P{N}0-9]/u;

/** `total_rest_requests` is `totalRestRequests`; undefined for a name that GraphQL can't hold. */
export function fieldName(sqlName: string): string | undefined {
  const parts = wordsOf(sqlName);
  if (parts === undefined) return undefined;
  const [first = '', ...rest] = parts;
  // One underscore in front is a part of the name; two are GraphQL's own.
  const lead = sqlName.startsWith('_') ? '_' : '';
  return startingWell(lead + uncapitalized(first) + rest.map(capitalized).join(''));
}

/** `usageApiCounts` is `UsageApiCounts`; names without a word, as `_`, are `_`. */
export function typeName(...names: readonly string[]): string {
  const parts = names.flatMap((name) => wordsOf(name) ?? []);
  return parts.length === 0 ? '_' : startingWell(parts.map(capitalized).join(''));
}

/** `dark-blue` is `DARK_BLUE`; undefined for a value that GraphQL can't hold. */
export function enumMember(value: string): string | undefined {
  const parts = wordsOf(value);
  return parts && startingWell(parts.map((part) => part.toUpperCase()).join('_'));
}

function wordsOf(name: string): readonly string[] | undefined {
  if (unspeakable.test(name)) return undefined;
  return name.match(words) ?? undefined;
}

/** A word in capitals only loses them, apart from the first: `user_ID` is `userId`. */
function capitalized(word: string): string {
  const rest = word.slice(1);
  return word.charAt(0).toUpperCase() + (word === word.toUpperCase() ? rest.toLowerCase() : rest);
}

/** The capitals in front are one word or an abbreviation: `ID` is `id`, `HTTPStatus` is `httpStatus`. */
function uncapitalized(word: string): string {
  return word.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

function startingWell(name: string): string {
  return /^\d/.test(name) ? `_${name}` : name;
}
