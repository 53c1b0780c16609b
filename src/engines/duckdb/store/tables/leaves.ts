import type { StructType } from '../../../../sql/values/type.ts';
import { fieldPath, flatColumns, leafNames, presenceName } from './flat-layout.ts';
import { listColumns } from './list-layout.ts';
import type { TableColumn } from './schema-change.ts';
import { columnsOfStored, type StoredColumn } from './stored-schema.ts';

/** A column of the flat form and of the list form, as it is to be, and its column in the table as it is. */
export interface Leaf {
  /** Its name in the table as it is to be. */
  readonly name: string;
  /** Its name in the table as it is; undefined if it is not there. */
  readonly oldName: string | undefined;
  /** The name of the first leaf of the column that it replaces, if any. */
  readonly replacedName: string | undefined;
  /** DuckDB's types in the two forms. */
  readonly flatType: string;
  readonly listType: string;
  /** The column or field of the schema. */
  readonly column: TableColumn;
  /** Whether it says that there is a record. */
  readonly isPresence: boolean;
  /** The presence of the record around it. */
  readonly around: Leaf | undefined;
  /** Whether the values of that column are converted already. */
  readonly isConverted?: boolean;
  /** How many repeated records contain it in the table as it is. */
  readonly oldDepth: number;
}

/** The leaves of a table's columns, in the order of its forms. */
export function leavesOf(columns: readonly TableColumn[]): Leaf[] {
  const whole = columnsOfStored(columns);
  const flat = flatColumns(whole);
  const lists = listColumns(whole);
  return placesOf(columns).map(({ place, around }, i, places) => made(place, around, i, places));

  function made(place: Place, around: number | undefined, i: number, places: readonly Placed[]): Leaf {
    const outer = around === undefined ? undefined : places[around];
    return {
      ...place,
      flatType: flat[i]?.type ?? '',
      listType: lists[i]?.type ?? '',
      around: outer && made(outer.place, outer.around, around ?? 0, places),
    };
  }
}

type Place = Pick<Leaf, 'name' | 'oldName' | 'replacedName' | 'column' | 'isPresence' | 'oldDepth'>;

interface Placed {
  readonly place: Place;
  /** The index of the presence of the record around it. */
  readonly around: number | undefined;
}

function placesOf(columns: readonly TableColumn[]): Placed[] {
  const places: Placed[] = [];
  const add = (
    column: TableColumn,
    path: string,
    stored: string | undefined,
    depth: number,
    around?: number,
  ) => {
    const { from, replaced } = column;
    const isPresence = column.kind === 'STRUCT';
    const nameOf = (at: string, kind: string) => (kind === 'STRUCT' ? presenceName(at) : at);
    const index = places.length;
    places.push({
      place: {
        name: nameOf(path, column.kind),
        oldName: stored === undefined || from === undefined ? undefined : nameOf(stored, from.kind),
        replacedName:
          stored === undefined || replaced === undefined ? undefined : nameOf(stored, replaced.kind),
        ...{ column, isPresence, oldDepth: depth },
      },
      around,
    });
    if (!isPresence) return;
    const record = structOf(column.fields);
    const olds = from?.fields ?? [];
    const inner = depth + (from?.mode === 'REPEATED' ? 1 : 0);
    for (const [i, field] of column.fields.entries())
      add(field, fieldPath(path, record, i), storedPath(field, olds, stored), inner, index);
  };
  for (const column of columns) add(column, column.name, (column.from ?? column.replaced)?.name, 0);
  return places;
}

/** The path of the stored field that a field is made of, or that it replaces. */
function storedPath(
  { from, replaced }: TableColumn,
  siblings: readonly StoredColumn[],
  within: string | undefined,
): string | undefined {
  const stored = from ?? replaced;
  if (stored === undefined || within === undefined) return undefined;
  return fieldPath(within, structOf(siblings), siblings.indexOf(stored));
}

/** A record with only its names. */
export function structOf(fields: readonly { readonly name: string }[]): StructType {
  return { kind: 'STRUCT', fields: fields.map(({ name }) => ({ name, type: { kind: 'STRING' } })) };
}

/** The leaves, in either form, of stored columns that are none of the table's columns any more. */
export function goneLeaves(stored: readonly StoredColumn[], columns: readonly TableColumn[]): string[] {
  const gone = (
    olds: readonly StoredColumn[],
    now: readonly TableColumn[],
    pathOf: (i: number) => string,
  ): string[] => {
    const kept = new Map(now.map((column) => [column.from, column]));
    const whole = columnsOfStored(olds);
    return olds.flatMap((old, i) => {
      const path = pathOf(i);
      const column = kept.get(old);
      const type = whole[i]?.type;
      if (column === undefined) return type === undefined ? [] : leafNames(path, type, 'all');
      const record = structOf(old.fields);
      return gone(old.fields, column.fields, (field) => fieldPath(path, record, field));
    });
  };
  return gone(stored, columns, (i) => stored[i]?.name ?? '');
}

/** The column in which a column's values are converted. No column of a source begins with a dot. */
export function convertedName(name: string): string {
  return `.converted ${name}`;
}

/** The leaves, with the converted columns in the place of some. */
export function withConverted(leaves: readonly Leaf[], isConverted: (name: string) => boolean): Leaf[] {
  return leaves.map((leaf) => {
    const { oldName } = leaf;
    if (oldName === undefined || !isConverted(oldName)) return leaf;
    return { ...leaf, oldName: convertedName(oldName), isConverted: true };
  });
}
