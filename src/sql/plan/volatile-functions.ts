/** The functions that return another value at each call, in lower case. */
export const volatileFunctions: ReadonlySet<string> = new Set(['rand', 'generate_uuid']);
