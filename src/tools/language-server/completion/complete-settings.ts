import type { Completions, Option } from '../../../sql/editing/completion.ts';
import { shortType } from '../../../sql/editing/field.ts';
import type { Column } from '../../../sql/values/type.ts';
import type { EndpointText } from '../project/endpoint-text.ts';
import type { JsonSchema } from '../settings/json-schemas.ts';
import { settingsPlace } from '../settings/settings-place.ts';
import { settingSchema, valuesOf } from '../settings/settings-schema.ts';

/** What can be written at an offset of the comment with an endpoint's settings. */
export function completeSettings(
  { text, tokens, comment: { parameters } }: EndpointText,
  offset: number,
  columns: readonly Column[],
): Completions | undefined {
  const place = settingsPlace(text, text.indexOf('/*') + 2, offset);
  if (place === undefined) return undefined;
  const { what, path, from } = place;
  const schema = settingSchema(path);
  if (what === 'value') {
    const values = valuesOf(schema).map((label): Option => ({ kind: 'value', label }));
    return { from, options: values };
  }
  const [group] = path;
  if (path.length === 1 && group === 'parameters') {
    const used = tokens.filter(({ kind }) => kind === 'parameter').map(({ written }) => written.slice(1));
    const missing = [...new Set(used)].filter((name) => parameters?.has(name) !== true);
    return { from, options: missing.map((label) => ({ kind: 'parameter', label, insert: `${label}:` })) };
  }
  if (path.length === 1 && group === 'columns') {
    const named = columns.filter(({ name }) => name !== '');
    return {
      from,
      options: named.map(({ name, type }) => ({
        kind: 'column',
        label: name,
        insert: `${name}:`,
        detail: shortType(type),
      })),
    };
  }
  const entries = Object.entries(schema?.items?.properties ?? schema?.properties ?? {});
  return { from, options: entries.map(([key, each]) => keyOption(key, each)) };
}

function keyOption(key: string, schema: JsonSchema): Option {
  const isMapping = schema.type === 'object';
  return {
    kind: 'key',
    label: key,
    insert: isMapping ? `${key}:` : `${key}: `,
    detail: typeof schema.type === 'string' ? schema.type : undefined,
    description: schema.description,
  };
}
