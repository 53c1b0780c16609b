import type { z } from 'zod';

/** The keys that a schema knows at a path of a value; none for a place that takes any keys. */
export function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [step, ...rest] = path;
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'nullable':
    case 'catch':
      return knownKeys(def.innerType, path);
    case 'pipe':
      return knownKeys(def.in, path);
    case 'array':
      return step === undefined ? [] : knownKeys(def.element, rest);
    case 'record':
      return step === undefined ? [] : knownKeys(def.valueType, rest);
    case 'object': {
      if (step === undefined) return Object.keys(def.shape);
      const inner = def.shape[String(step)];
      return inner === undefined ? [] : knownKeys(inner, rest);
    }
    default:
      return [];
  }
}
