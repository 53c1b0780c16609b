import type { JsonSchema } from './value-schema.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** Properties that are texts. */
export function strings(...names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

/** An object that always has some properties, and may have others. */
export function record(required: Properties, optional: Properties = {}): JsonSchema {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema.type, 'null'].flat() };
}
