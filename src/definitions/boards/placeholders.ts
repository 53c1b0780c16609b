/** A value of the board in a text of a panel: `${project}`. */
const placeholder = /\$\{([^{}]*)\}/g;

/*
 * What a board has besides its variables: the bounds of its range as ISO 8601 in UTC, the seconds of a bucket which divides the
 * range into some 60, and the days from its start until now. Both numbers are whole, and at least 1.
 */

/** The moments whose texts are tried in place of the bounds of a range. */
const times = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
const numbers = { step: '1800', days: '1' };

/** Names that no variable can have. */
export const builtInNames: readonly string[] = [...Object.keys(times), ...Object.keys(numbers)];

/** The names in the placeholders of a text, in their order. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

/** The name of the placeholder which is the whole text. */
export function onlyName(text: string): string | undefined {
  const [name] = namesIn(text);
  return name !== undefined && text === `\${${name}}` ? name : undefined;
}

/**
 * The text of a parameter with samples in place of the built-in placeholders: times are written as the parameter's type has
 * them. Undefined if it has a variable, whose values are not known.
 */
export function sampleText(text: string, type: string): string | undefined {
  if (!namesIn(text).every((name) => builtInNames.includes(name))) return undefined;
  return text.replace(placeholder, (_, name: string) => timeOf(name, type) ?? numberOf(name) ?? '');
}

/** A query with literals in place of all placeholders, as the console writes them: times and variables are texts. */
export function sampleQuery(sql: string): string {
  return sql.replace(
    placeholder,
    (_, name: string) => numberOf(name) ?? JSON.stringify(timeOf(name, 'TIMESTAMP') ?? ''),
  );
}

function timeOf(name: string, type: string): string | undefined {
  const time = new Map(Object.entries(times)).get(name);
  if (type === 'DATE') return time?.slice(0, 10);
  return type === 'DATETIME' ? time?.slice(0, -1) : time;
}

function numberOf(name: string): string | undefined {
  return new Map(Object.entries(numbers)).get(name);
}
