import { z } from 'zod';
import { type TableField, tableField } from '../../../definitions/sources/table-field.ts';
import { ApiError } from '../api/api-error.ts';
import type { BigQueryApi } from '../api/big-query-api.ts';
import type { TableName } from '../text/table-names.ts';
import { TableError } from './table-error.ts';

/** The relevant part of `Table`. A table can have been created without a schema. */
const table = z.object({
  schema: z.object({ fields: z.array(tableField).default([]) }).default({ fields: [] }),
});

const tableList = z.object({
  tables: z.array(z.object({ tableReference: z.object({ tableId: z.string() }) })).default([]),
  nextPageToken: z.string().optional(),
});

const attemptTimeoutMs = 20_000;

/** Reads descriptions of tables. */
export class Tables {
  readonly #api: Pick<BigQueryApi, 'call'>;
  readonly #signal: AbortSignal;

  /** @param signal aborts running calls */
  constructor(api: Pick<BigQueryApi, 'call'>, signal: AbortSignal = new AbortController().signal) {
    this.#api = api;
    this.#signal = signal;
  }

  /**
   * The columns of a table, in its order.
   *
   * @throws TableError when the table doesn't exist or can't be read
   */
  async columns(name: TableName): Promise<readonly TableField[]> {
    const path = `${tablesPath(name)}/${encodeURIComponent(name.table)}`;
    const subject = `${name.project}.${name.dataset}.${name.table}`;
    return (await this.#get(path, table, subject)).schema.fields;
  }

  /**
   * The names of a dataset's tables and views, in BigQuery's order.
   *
   * @throws TableError when the dataset doesn't exist or can't be read
   */
  async list(dataset: Pick<TableName, 'project' | 'dataset'>): Promise<readonly string[]> {
    const subject = `${dataset.project}.${dataset.dataset}`;
    const names: string[] = [];
    const seen = new Set<string>();
    let pageToken: string | undefined;
    do {
      const page = await this.#get(tablesPath(dataset), tableList, subject, pageToken);
      names.push(...page.tables.map(({ tableReference }) => tableReference.tableId));
      pageToken = page.nextPageToken;
      if (pageToken !== undefined && seen.has(pageToken)) {
        throw new TableError(`${subject}: BigQuery repeats the same page of tables`);
      }
      if (pageToken !== undefined) seen.add(pageToken);
    } while (pageToken !== undefined);
    return names;
  }

  async #get<T>(path: string, answer: z.ZodType<T>, subject: string, pageToken?: string): Promise<T> {
    const signal = this.#signal;
    const page = pageToken !== undefined && { query: { pageToken } };
    try {
      return await this.#api.call({ method: 'GET', path, ...page, answer, signal, attemptTimeoutMs });
    } catch (error) {
      if (error instanceof ApiError) throw TableError.of(subject, error);
      throw error;
    }
  }
}

function tablesPath({ project, dataset }: Pick<TableName, 'project' | 'dataset'>): string {
  return `/projects/${encodeURIComponent(project)}/datasets/${encodeURIComponent(dataset)}/tables`;
}
