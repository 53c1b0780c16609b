import type { AnyNode } from '../../../../../src/sql/resolved/node.ts';
import { type LiteralPlace, type LiteralType, literalPlaces } from './literal-place.ts';
import { oddValues } from './odd-values.ts';

/** A query with something else in place of one of its literals. */
export interface Mutant {
  readonly sql: string;
  /** The same with a type, if the analyzer refuses the first for the lack of one. */
  readonly typed?: string;
  /** What the parameter `@mutant` is: the value of a literal, or nothing. */
  readonly parameter?: { readonly literal: string; readonly isMissing: boolean };
}

/** Long lists of literals would fill the time with mutants of the same kind. */
const maxLiterals = 6;
const maxOddValues = 4;

const parameter = '@mutant';
const column = 'mutant_value';

/**
 * Puts in place of each literal of a query: a column with its value, a column with NULL, a parameter, a missing parameter, NULL, and odd values
 * of its type, of which one is a column's as well.
 *
 * @param sql the query, with as many bytes of white space as the definitions have in place of them
 * @param statement the query's parse tree
 * @param definitions those of the functions that it can call
 */
export function mutantsOf(sql: string, statement: AnyNode, definitions = ''): readonly Mutant[] {
  const bytes = Buffer.from(sql);
  const functions = Buffer.byteLength(definitions);
  const text = (start: number, end?: number) =>
    start === 0
      ? `${definitions}${bytes.subarray(functions, end).toString()}`
      : bytes.subarray(start, end).toString();
  // Another value could make it endless.
  const isRecursive = /\brecursive\b/i.test(sql);
  const places = spread(literalPlaces(sql, statement), maxLiterals);
  return places.flatMap((place, index) => {
    const literal = text(place.start, place.end);
    const replaced = (by: string) => `${text(0, place.start)} ${by} ${text(place.end)}`;
    const asColumn = (value: string) =>
      place.table === undefined ? [] : [{ sql: withTable(place, place.table, value, text) }];
    const asParameter = (isMissing: boolean, of = literal) => ({
      sql: replaced(parameter),
      parameter: { literal: of, isMissing },
    });
    if (place.type === 'NULL') {
      const types = ['INT64', 'STRING'] as const;
      return [
        ...types.map((type) => asParameter(true, oddValues[type][1])),
        ...types.flatMap((type) => asColumn(nullOf(type))),
      ];
    }
    const kept = [...asColumn(literal), asParameter(false)];
    if (isRecursive) return kept;
    const odd = oddValues[place.type];
    return [
      ...kept,
      ...asColumn(nullOf(place.type)),
      ...asColumn(odd[index % odd.length] ?? literal),
      asParameter(true),
      { sql: replaced('NULL'), typed: replaced(nullOf(place.type)) },
      ...spread([...odd.slice(index % odd.length), ...odd.slice(0, index % odd.length)], maxOddValues).map(
        (value) => ({ sql: replaced(value) }),
      ),
    ];
  });
}

/** At most so many of a list, evenly spread. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function nullOf(type: LiteralType): string {
  return `cast(NULL as ${type})`;
}

function withTable(
  { start, end }: LiteralPlace,
  { at, before, behind }: NonNullable<LiteralPlace['table']>,
  value: string,
  text: (start: number, end?: number) => string,
): string {
  const rows = `${before}unnest([${value}]) as ${column}`;
  const read = ` ${column} `;
  return at <= start
    ? `${text(0, at)}${rows}${behind}${text(at, start)}${read}${text(end)}`
    : `${text(0, start)}${read}${text(end, at)}${rows}${behind}${text(at)}`;
}
