import { memoized } from '../../base/async/memoized.ts';
import { visitFields } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, fieldsOf, isPresent, unwrap } from '../resolved/node.ts';
import { type Token, tokens } from '../text/lexer.ts';
import { formatType, type SqlType } from '../values/type.ts';
import type { Catalog, CatalogTable } from './catalog.ts';
import { typeToProto } from './type-proto.ts';

/** What an analysis of a text costs by its records: the fields of each, as often as it is named. */
export function recordCost({ tables }: Catalog, sql: string): number {
  const names = new Map<string, number>();
  for (const token of tokens(sql)) {
    const name = nameOf(token);
    if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1);
  }
  const costs = tables
    .filter(({ path }) => path.some((part) => part.split('.').some((name) => names.has(name.toLowerCase()))))
    .flatMap(({ columns }) =>
      columns.map(({ name, type }) => (names.get(name.toLowerCase()) ?? 0) * fieldCount(type)),
    );
  return costs.reduce((sum, cost) => sum + cost, 0);
}

/** Whether a catalog has a record of so many fields that its references could be too many. */
export const hasWideRecord = memoized(({ tables }: Catalog): boolean =>
  tables.some(({ columns }) => columns.some(({ type }) => fieldCount(type) >= wideFields)),
);

/** References to smaller records are never too many. */
const wideFields = 100;

function fieldCount(type: SqlType): number {
  if (type.kind === 'ARRAY') return fieldCount(type.element);
  if (type.kind !== 'STRUCT') return 0;
  return type.fields.reduce((count, field) => count + 1 + fieldCount(field.type), 0);
}

function nameOf({ kind, text }: Token): string | undefined {
  if (kind === 'word') return text.toLowerCase();
  return kind === 'name' ? text.slice(1, -1).toLowerCase() : undefined;
}

/** A record without the fields that a text can't name. */
interface NarrowRecord {
  readonly full: object;
  /** The places of its fields in the full record. The first field is the marker, which has none. */
  readonly places: readonly number[];
}

/** A catalog whose records have only the fields that a text can name. */
export interface NarrowCatalog {
  readonly catalog: Catalog;
  /**
   * Gives the records in a resolved statement their full types again, in place.
   *
   * @returns false if the statement uses more of a record than fields that it names: then it must be resolved with the
   *   full catalog
   */
  readonly restore: (statement: AnyNode) => boolean;
}

/** A record is narrowed if it loses so many fields. */
const minLost = 16;

/**
 * Leaves out the fields of records whose names don't stand in a text. The analyzer repeats the type of a record for each
 * reference to it, so that hundreds of references to a record of thousands of fields would be too large an answer.
 *
 * Each narrow record has a first field with a name that no text contains: its type shows which record it is, wherever it
 * stands in the resolved statement.
 *
 * @returns undefined if the text may use the fields of a record by their places, as `*` does
 */
export function narrowCatalog(catalog: Catalog, sql: string): NarrowCatalog | undefined {
  const all = [...tokens(sql)];
  const stars = starsIn(all);
  if (stars === 'of a record' || all.some(({ kind, text }) => kind === 'name' && text.includes('\\')))
    return undefined;
  const names = new Set(all.map(nameOf));
  const marker = unusedName(sql);
  const records: NarrowRecord[] = [];
  const known = new Map<string, SqlType>();
  const narrow = (type: SqlType): SqlType => {
    if (type.kind === 'ARRAY') return { kind: 'ARRAY', element: narrow(type.element) };
    if (type.kind !== 'STRUCT') return type;
    const places = type.fields.flatMap(({ name }, i) => (names.has(name.toLowerCase()) ? [i] : []));
    const isNarrow = type.fields.length - places.length >= minLost;
    const kept = isNarrow ? places : [...type.fields.keys()];
    const fields = kept.flatMap((i) => type.fields[i] ?? []);
    const inner = fields.map((field) => ({ ...field, type: narrow(field.type) }));
    if (!isNarrow && inner.every((field, i) => field.type === fields[i]?.type)) return type;
    const text = formatType(type);
    const before = known.get(text);
    if (before !== undefined) return before;
    const mark = { name: `${marker}${records.length}`, type: { kind: 'BOOL' as const } };
    records.push({ full: typeToProto(type), places: [-1, ...kept] });
    const result: SqlType = { kind: 'STRUCT', fields: [mark, ...inner] };
    known.set(text, result);
    return result;
  };
  const tables = catalog.tables.map((table): CatalogTable => {
    const columns = table.columns.map((column) => ({ ...column, type: narrow(column.type) }));
    return { ...table, columns };
  });
  if (records.length === 0) return undefined;
  const restore = (statement: AnyNode) => new Restoration(records, marker, stars).restore(statement);
  return { catalog: { ...catalog, tables }, restore };
}

/** A message of the analyzer as if narrow records had no marker. */
export function withoutMarkers(message: string): string {
  return message.replace(/`?_narrow_+\d+`? BOOL(?:, )?/g, '');
}

/** The beginning of a name that the text doesn't contain. */
function unusedName(sql: string): string {
  const text = sql.toLowerCase();
  let name = '_narrow_';
  while (text.includes(name)) name += '_';
  return name;
}

type Stars = 'none' | 'of a table' | 'of a record';

/** Whether a text has `*` for columns, and whether it can stand for the fields of a record. `COUNT(*)` has none. */
function starsIn(all: readonly Token[]): Stars {
  let hasStar = false;
  for (const [i, { kind, text }] of all.entries()) {
    if (kind !== 'symbol' || text !== '*') continue;
    const before = all[i - 1]?.text ?? '';
    if (before === '.') return 'of a record';
    hasStar ||= /^(?:SELECT|DISTINCT|ALL|STRUCT|,|VALUE|EXTEND|AGGREGATE)$/.test(before);
  }
  if (!hasStar) return 'none';
  const isValue = all.some(
    ({ text }, i) => text === 'AS' && /^(?:STRUCT|VALUE)$/.test(all[i + 1]?.text ?? ''),
  );
  return isValue ? 'of a record' : 'of a table';
}

/** The fields of a resolved tree that have types. */
const typeFields: ReadonlySet<string> = new Set(['type', 'element_type']);

/** Expressions that may be of the type of a narrow record: they take it as it is. */
const passing = new Set([
  'resolved_column_ref_node',
  'resolved_get_struct_field_node',
  'resolved_function_call_node',
  'resolved_aggregate_function_call_node',
  'resolved_analytic_function_call_node',
  'resolved_subquery_expr_node',
]);

class Restoration {
  readonly #records: readonly NarrowRecord[];
  readonly #marker: string;
  readonly #stars: Stars;
  readonly #types = new Map<unknown, object>();

  constructor(records: readonly NarrowRecord[], marker: string, stars: Stars) {
    this.#records = records;
    this.#marker = marker;
    this.#stars = stars;
  }

  restore(statement: AnyNode): boolean {
    const places: (() => void)[] = [];
    let isProvable = true;
    visitFields(statement, typeFields, (field, value) => {
      const texts = Array.isArray(value) ? value : [value];
      if (texts.some((text) => typeof text === 'string' && text.includes(this.#marker))) isProvable = false;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const message = value as Record<string, unknown>;
      if (
        field === 'resolved_array_scan_node' &&
        this.#stars !== 'none' &&
        this.#hasNarrow(message.element_column)
      )
        isProvable = false;
      if (!field.startsWith('resolved_') || !isPresent(message.parent)) return;
      const { type } = fieldsOf(message as AnyNode);
      if (isPresent(type) && this.#full(type) !== type && !passing.has(field)) isProvable = false;
      if (field !== 'resolved_get_struct_field_node') return;
      const record = this.#recordOf(fieldsOf(unwrap(asMessage(message.expr, 'expr')).message).type);
      if (record === undefined) return;
      const place = record.places[Number(message.field_idx ?? 0)] ?? -1;
      if (place < 0 || message.field_expr_is_positional === true) isProvable = false;
      places.push(() => {
        message.field_idx = String(place);
      });
    });
    if (!isProvable) return false;
    for (const correct of places) correct();
    visitFields(statement, typeFields, (_, value) => {
      for (const each of Array.isArray(value) ? value : [value]) this.#widen(each);
    });
    return true;
  }

  #widen(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const message = value as Record<string, unknown>;
    for (const field of typeFields)
      if (isPresent(message[field])) message[field] = this.#full(message[field]);
  }

  #hasNarrow(column: unknown): boolean {
    const { type } = asMessage(column, 'element_column');
    return this.#full(type) !== type;
  }

  /** The full type of a type message: the same one if no narrow record is in it. */
  #full(type: unknown): unknown {
    let full = this.#types.get(type);
    if (full === undefined) {
      full = this.#compute(asMessage(type, 'type'));
      this.#types.set(type, full);
    }
    return full;
  }

  #compute(type: AnyNode): object {
    const record = this.#recordOf(type);
    if (record !== undefined) return record.full;
    if (type.type_kind === 'TYPE_ARRAY') {
      const array = asMessage(type.array_type, 'array_type');
      const element = this.#full(array.element_type);
      return element === array.element_type
        ? type
        : { ...type, array_type: { ...array, element_type: element } };
    }
    if (type.type_kind !== 'TYPE_STRUCT') return type;
    const struct = asMessage(type.struct_type, 'struct_type');
    const fields = asList(struct.field, 'field').map((field) => asMessage(field, 'field'));
    const full = fields.map((field) => ({ ...field, field_type: this.#full(field.field_type) }));
    if (full.every(({ field_type }, i) => field_type === fields[i]?.field_type)) return type;
    return { ...type, struct_type: { ...struct, field: full } };
  }

  #recordOf(type: unknown): NarrowRecord | undefined {
    if (!isPresent(type)) return undefined;
    const { struct_type } = asMessage(type, 'type');
    if (!isPresent(struct_type)) return undefined;
    const [first] = asList(asMessage(struct_type, 'struct_type').field, 'field');
    const name = String(first === undefined ? '' : (asMessage(first, 'field').field_name ?? ''));
    return name.startsWith(this.#marker) ? this.#records[Number(name.slice(this.#marker.length))] : undefined;
  }
}
