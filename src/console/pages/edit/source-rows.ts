import type { JsonObject } from '../../api/json.ts';
import { runCall } from '../../parts/answer/answer.ts';
import { sqlString } from '../../parts/text/sql-string.ts';
import { ofSources, type Session } from '../../session/session.ts';

/** Rows of a source in a test, at most. */
const maxRows = 5;

/**
 * Rows of the sources that an endpoint reads, for a test: those with the ids of the picked rows, if these have ids, or the newest
 * ones.
 *
 * @param reads the tables, such as `logs.orders`
 * @throws Failure
 */
export async function sourceRows(
  session: Pick<Session, 'client' | 'endpoints'>,
  reads: readonly string[],
  picked: readonly JsonObject[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, readonly JsonObject[]>>> {
  const endpoint = session.endpoints.find(ofSources);
  if (endpoint === undefined) return {};
  const ids = picked.map(({ id }) => id).filter((id) => typeof id === 'string');
  const found: Record<string, readonly JsonObject[]> = {};
  for (const path of reads) {
    const table = endpoint.tables.find((each) => each.path === path);
    if (table === undefined) continue;
    const hasId = table.columns.some(({ name, type }) => name === 'id' && type === 'STRING');
    const where = hasId && ids.length > 0 ? ` WHERE id IN (${ids.map(sqlString).join(', ')})` : '';
    const order = table.time === undefined ? '' : ` ORDER BY \`${table.time}\` DESC`;
    const text = `SELECT * FROM \`${table.name}\`${where}${order} LIMIT ${maxRows}`;
    const call = { endpoint, values: new Map(), query: { language: 'sql' as const, text } };
    const { rows } = await runCall(session.client, call, signal);
    if (rows.length > 0) found[path.replace(/^logs\./, '').replace(/_\*$/, '')] = rows;
  }
  return found;
}
