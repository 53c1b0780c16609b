import { createHash } from 'node:crypto';
import type { FunctionDefinition } from '../text/function-definitions.ts';
import type { AnyNode } from './node.ts';

const text = String.raw`"(?:[^"\\]|\\.)*"`;

/**
 * Fields of a resolved tree in JSON that depend on a query's wording, or on its catalog's order: places, names of what is
 * within the query, and numbers of columns. Quotation marks within values are escaped, so that no value can match.
 */
const wording = new RegExp(
  [
    String.raw`"parse_location_range":\{[^{}]*\},?`,
    `"(?:alias|serialization_id|float_literal_id)":${text},?`,
    String.raw`"column_id":"(?<column>\d+)"(?:,"table_name":(?<table>${text}))?(?:,"name":(?<name>${text}))?`,
    `"with_query_name":(?<entry>${text})`,
  ].join('|'),
  'g',
);

/** Numbers that JSON can't represent or confuses: NaN, the infinities, -0. */
const lostNumber = /"double_value":(?:null|0)[,}]/;

/** A statement or other part of a tree, with all that decides its result: see `ResolvedQuery`. */
interface Meant {
  readonly statement: AnyNode;
  readonly definitions: readonly FunctionDefinition[];
}

/**
 * A digest of what a resolved statement means. It is the same for texts that differ only in white space, comments, letter case of
 * keywords and functions, or names of what is within them: of tables, WITH entries and columns that aren't in the result.
 * Statements with the same digest have the same result.
 *
 * @param query.definitions those of the functions whose bodies aren't in the tree
 */
export function meaningOf({ statement, definitions }: Meant): string {
  const tree = JSON.stringify(statement);
  const exact = lostNumber.test(tree) ? JSON.stringify(statement, numberAsText) : tree;
  const columns = new Numbers();
  const entries = new Numbers();
  const meaning = exact.replace(wording, (...match) => {
    const { column, table, name, entry } = match.at(-1) as Partial<Record<string, string>>;
    if (column !== undefined) {
      // Sources of two versions can have different columns at one place.
      const stored = table?.includes('.') ? `,"name":${name}` : '';
      return `"column_id":${columns.of(column)}${stored}`;
    }
    return entry === undefined ? '' : `"with_query_name":${entries.of(entry.toLowerCase())}`;
  });
  const digest = createHash('sha256').update(meaning);
  if (definitions.length > 0) digest.update(JSON.stringify(definitions));
  return digest.digest('base64url');
}

/** Numbers texts in the order in which they occur first. */
class Numbers {
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }
}

function numberAsText(_key: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  return Object.is(value, -0) ? '-0' : String(value);
}
