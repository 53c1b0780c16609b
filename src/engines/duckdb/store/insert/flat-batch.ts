import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { type FlatColumn, flatColumns } from '../tables/flat-layout.ts';
import { textConversion } from './converted-text.ts';

/** Separates the values in a column's text. No value contains it. */
export const valueSeparator = '\u001f';

/** Represents NULL in a column's text. No value equals it. */
export const nullMark = '\u001a';

/** The values of one column of flat rows: NULL in every row, true or false in every row, or a text of all values. */
export type FlatValues = undefined | boolean | string;

/**
 * Validated rows in their flat form, column by column. Values have the forms described in `WholeRows`, but without
 * JSON's quotes. Only arrays are JSON. Values are joined by `valueSeparator`.
 */
export interface FlatRows {
  readonly rows: number;
  /** One for each column of `flatColumns`. */
  readonly columns: readonly FlatValues[];
  /** The places of the rows, joined like values. */
  readonly places: string;
}

/** An INSERT of flat rows, for all rows with values in the same columns. */
export interface FlatInsert {
  readonly sql: string;
  /**
   * The indexes of the columns whose texts are its parameters: from `$3` on if the table has places. Then `$1` is the text
   * of the places, and `$2` is added to each. Otherwise from `$1` on.
   */
  readonly texts: readonly number[];
}

/** The common properties of row sets that one INSERT can add. */
export function flatSignature({ columns }: FlatRows): string {
  return columns.map((values) => (typeof values === 'string' ? 's' : String(values).charAt(0))).join('');
}

/**
 * The INSERT of flat rows into a table with the columns of the flat form.
 *
 * @param table as SQL
 * @param place the table's column for the places, as SQL; undefined if it has none
 */
export function flatInsert(
  table: string,
  place: string | undefined,
  columns: readonly SourceColumn[],
  { columns: values }: FlatRows,
): FlatInsert {
  const names = place === undefined ? [] : [place];
  const selected = place === undefined ? [] : ['CAST($2 AS BIGINT) + CAST(place AS BIGINT)'];
  const unnested = place === undefined ? [] : [`${unnest(1)} AS place`];
  const first = place === undefined ? 1 : 3;
  const texts: number[] = [];
  for (const [index, column] of flatColumns(columns).entries()) {
    const ofColumn = values[index];
    if (ofColumn === undefined) continue;
    names.push(quoteIdentifier(column.name));
    if (typeof ofColumn === 'boolean') {
      selected.push(String(ofColumn));
    } else {
      texts.push(index);
      unnested.push(`${unnest(first + texts.length - 1)} AS v${index}`);
      selected.push(fromText(column, `CASE WHEN v${index} <> ${stringLiteral(nullMark)} THEN v${index} END`));
    }
  }
  // One SELECT list contains all UNNESTs: expressions around an UNNEST are far slower.
  const sql = `INSERT INTO ${table} (${names.join(', ')}) SELECT ${selected.join(', ')} FROM (SELECT ${unnested.join(', ')})`;
  return { sql, texts };
}

function unnest(parameter: number): string {
  return `unnest(string_split(CAST($${parameter} AS VARCHAR), ${stringLiteral(valueSeparator)}))`;
}

/** A value of a column of the flat form, from its text, as SQL. */
export function fromText({ type }: Pick<FlatColumn, 'type'>, text: string): string {
  const element = type.endsWith('[]') ? type.slice(0, -2) : undefined;
  const converted = textConversion(element ?? type);
  if (element !== undefined && converted !== undefined)
    return `list_transform(from_json(${text}, '["VARCHAR"]'), lambda e: ${converted('e')})`;
  if (element !== undefined) return `from_json(${text}, ${stringLiteral(JSON.stringify([element]))})`;
  if (converted !== undefined) return converted(text);
  return type === 'VARCHAR' ? text : `CAST(${text} AS ${type})`;
}
