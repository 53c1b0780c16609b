import type { DuckDBConnection } from '@duckdb/node-api';
import { fileFailure, isFileFailure } from '../../base/system/read-written-file.ts';
import {
  type AddedFieldsFile,
  readAddedFields,
  sourcesWithAddedFields,
} from '../../definitions/sources/added-fields.ts';
import { checkedText } from '../../definitions/sources/checked-text.ts';
import { schemaText } from '../../definitions/sources/schema-text.ts';
import { tableSchema } from '../../definitions/sources/source-file.ts';
import type { TableField } from '../../definitions/sources/table-field.ts';
import { readStoredSources } from '../../engines/duckdb/store/tables/metadata.ts';
import type { StoredColumn } from '../../engines/duckdb/store/tables/stored-schema.ts';
import type { Finding } from './examine-tables.ts';

/** A file of added fields that can't be read. */
export interface DamagedFields extends Finding {
  readonly source: string;
  /** Its right text, from the store's tables. Undefined if they don't have it. */
  readonly text: string | undefined;
}

/**
 * Checks the files of added fields. For each one that can't be read, its right text is made of the columns of the store's tables.
 *
 * @param connection to the store; undefined if it can't be opened
 */
export async function examineFields(
  dataDir: string,
  connection: DuckDBConnection | undefined,
): Promise<readonly DamagedFields[]> {
  const stored = connection && (await readStoredSources(connection));
  const damaged: DamagedFields[] = [];
  for (const source of await sourcesWithAddedFields(dataDir)) {
    const part = `fields/${source}.json`;
    const problemOf = (reason: string) =>
      `The fields that rows have added to ${source} can't be read: ${reason}.`;
    let added: AddedFieldsFile | undefined;
    try {
      added = await readAddedFields(dataDir, source);
    } catch (error) {
      if (!isFileFailure(error)) throw error;
      damaged.push({
        part,
        source,
        problem: problemOf(fileFailure(error)),
        repair: undefined,
        text: undefined,
      });
    }
    if (added === undefined) continue;
    const read = checkedText(added.file, added.text, () => tableSchema);
    if ('content' in read) continue;
    const columns = stored?.get(source.toLowerCase())?.columns;
    damaged.push({
      part,
      problem: problemOf(read.map(({ text }) => text).join('; ')),
      repair: columns && 'It is made of the columns that the store has.',
      source,
      text: columns && schemaText(fieldsOf(columns)),
    });
  }
  return damaged;
}

function fieldsOf(columns: readonly StoredColumn[]): TableField[] {
  const visible = columns.filter(({ isHidden }) => !isHidden);
  return visible.map(({ name, kind, mode, fields }) => ({
    ...{ name, type: kind === 'STRUCT' ? 'RECORD' : kind, mode },
    ...(fields.length > 0 && { fields: fieldsOf(fields) }),
  }));
}
