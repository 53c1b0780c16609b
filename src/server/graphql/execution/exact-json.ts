/** Features of JavaScript's JSON that TypeScript's types lack: https://tc39.es/proposal-json-parse-with-source/ */
const json = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
};

/** A number that JSON.stringify writes with exactly these digits. */
export function rawJsonNumber(digits: string): unknown {
  return json.rawJSON(digits);
}

/**
 * Parses JSON text. Numbers that a JavaScript number can't represent exactly keep their digits when they are written
 * again.
 */
export function parseJsonExactly(text: string): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  );
}
