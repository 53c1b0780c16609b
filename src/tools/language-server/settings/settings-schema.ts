import { type JsonSchema, jsonSchema } from './json-schemas.ts';

let schema: JsonSchema | undefined;

/** The schema of the setting at a path. Undefined if there is no such setting. */
export function settingSchema(path: readonly string[]): JsonSchema | undefined {
  schema ??= jsonSchema('endpoint-settings');
  return path.reduce<JsonSchema | undefined>((parent, key) => {
    // Lists hold mappings of one form.
    const { properties = {}, additionalProperties } = parent?.items ?? parent ?? {};
    if (Object.hasOwn(properties, key)) return properties[key];
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  }, schema);
}

/** The texts that a setting can have, as far as they are limited. */
export function valuesOf(schema: JsonSchema | undefined): readonly string[] {
  const { type, enum: values } = schema?.items ?? schema ?? {};
  if (values !== undefined) return values.map(String);
  return type === 'boolean' ? ['true', 'false'] : [];
}
