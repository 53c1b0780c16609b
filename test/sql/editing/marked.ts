import type { Names } from '../../../src/sql/editing/completion.ts';
import { type Table, writtenField } from '../../../src/sql/editing/field.ts';

/** The text and the place of the sign ‸ in a marked text. */
export function marked(text: string): readonly [text: string, offset: number] {
  return [text.replace('‸', ''), text.indexOf('‸')];
}

/** A table with columns of these types. */
export function table(name: string, columns: Readonly<Record<string, string>>): Table {
  return {
    name,
    fields: Object.entries(columns).map(([column, type]) => writtenField({ name: column, type })),
  };
}

export function namesOf(tables: readonly Table[], others: Partial<Names> = {}): Names {
  return { tables, functions: [], parameters: [], analyzed: new Map(), ...others };
}
