import { z } from 'zod';
import { resolvedQueryOf } from '../../sql/plan/resolved-query.ts';
import { meaningOf } from '../../sql/resolved/meaning.ts';
import { columnNames, structFieldNames } from '../../sql/values/column-names.ts';
import { type Column, formatType, type SqlType } from '../../sql/values/type.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { EndpointParameter } from '../endpoints/parameters/endpoint-parameter.ts';

/**
 * The columns of a result, and the fields of its records, in their order: the path and the type. A record's type is `STRUCT`,
 * because its fields follow.
 */
const columns = z.array(z.tuple([z.string(), z.string()]));

const texts = z.union([z.string(), z.array(z.string())]);

const parameter = z.strictObject({
  name: z.string(),
  type: z.string(),
  required: z.literal(true).optional(),
  default: texts.optional(),
  values: z.array(z.string()).optional(),
  min: z.string().optional(),
  max: z.string().optional(),
  pattern: z.string().optional(),
  maxLength: z.int().optional(),
  maxItems: z.int().optional(),
});

/** What is locked of a version of an endpoint: what its clients rely on. */
export const lockedVersion = z.strictObject({
  name: z.string().min(1),
  version: z.int().min(1),
  id: z.string(),
  /** See `meaningOf`. */
  meaning: z.string(),
  parameters: z.array(parameter),
  columns,
  /** Whether callers may filter the rows. */
  filterable: z.literal(true).optional(),
  /** The tables that ad-hoc queries read, by name. */
  tables: z.array(z.strictObject({ name: z.string(), columns })).optional(),
});

export type LockedVersion = z.infer<typeof lockedVersion>;
export type LockedParameter = z.infer<typeof parameter>;
export type LockedColumns = z.infer<typeof columns>;

/** What is to be locked of a version. */
export function lockedVersionOf(endpoint: Endpoint): LockedVersion {
  const { name, number, id, plan, tables, filterable } = endpoint;
  return {
    ...{ name, version: number, id },
    meaning: meaningOf(resolvedQueryOf(plan)),
    parameters: endpoint.parameters.map(lockedParameter),
    columns: lockedColumns(plan.columns, endpoint.columns),
    ...(filterable && { filterable: true }),
    ...(tables.length > 0 && {
      tables: tables.map((table) => ({ name: table.name, columns: lockedColumns(table.plan.columns) })),
    }),
  };
}

/** The rules of a parameter, without what only describes it. */
function lockedParameter(declared: EndpointParameter): LockedParameter {
  const { name, type, required, values, min, max, pattern, maxLength, maxItems } = declared;
  return {
    ...{ name, type: formatType(type) },
    ...(required && { required }),
    ...(declared.default !== undefined && {
      default: typeof declared.default === 'string' ? declared.default : [...declared.default],
    }),
    ...(values !== undefined && { values: [...values] }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(pattern !== undefined && { pattern }),
    ...(maxLength !== undefined && { maxLength }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

function lockedColumns(all: readonly Column[], settings?: Endpoint['columns']): LockedColumns {
  const names = columnNames(all);
  return all.flatMap(({ type }, index) => {
    const name = names[index] ?? '';
    const isNotNull = settings?.get(name)?.nullable === false;
    return lockedFields(name, type, isNotNull ? ' NOT NULL' : '');
  });
}

/** A column or field with those within it. */
function lockedFields(path: string, type: SqlType, suffix = ''): LockedColumns {
  const element = type.kind === 'ARRAY' ? type.element : type;
  if (element.kind !== 'STRUCT') return [[path, `${formatType(type)}${suffix}`]];
  const names = structFieldNames(element.fields);
  return [
    [path, `${type.kind === 'ARRAY' ? 'ARRAY<STRUCT>' : 'STRUCT'}${suffix}`],
    ...element.fields.flatMap((field, index) => lockedFields(`${path}.${names[index]}`, field.type)),
  ];
}
