import { quoteIdentifier } from '../../../engines/duckdb/dialect/duck-type.ts';
import { type Plan, statementOf } from '../../../sql/plan/plan.ts';

/** A text or a name in quotes, a word, space, or any other character. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_]\w*|\s+|./gs;
/** The begin of a query in parentheses, maybe in more of them. */
const query = /^[\s(]*(?:SELECT|WITH)\b/;

/**
 * The emitted SQL of a plan for people: in lines, with the names of the plan's columns. It gives the same rows.
 *
 * @param sql emitted SQL, which has the columns `o0`, `o1` … and others as `c<id>`
 */
export function readableSql(sql: string, plan: Plan): string {
  const outputs = plan.columns.map(({ name }) => name);
  const names = columnNames(statementOf(plan));
  const renamed = sql.replaceAll(token, (part) => {
    const output = /^o(\d+)$/.exec(part)?.[1];
    const name = output && outputs[Number(output)];
    if (name) return outputs.indexOf(name) === outputs.lastIndexOf(name) ? quoteIdentifier(name) : part;
    return part.replace(/^("?)c(\d+)(?![^_."])/, (text, quote: string, id: string) =>
      names.has(Number(id)) ? `${quote}${names.get(Number(id))}_${id}` : text,
    );
  });
  return inLines(renamed);
}

/** The names of columns in a resolved tree, as far as they can be part of a name in SQL, by their ids. */
function columnNames(tree: unknown): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const pending = [tree];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue;
    const { column_id: id, name } = part as { readonly column_id?: unknown; readonly name?: unknown };
    const words = typeof name === 'string' ? name.replaceAll(/\W/g, '') : '';
    if (id !== undefined && /^[A-Za-z]/.test(words)) names.set(Number(id), words);
    pending.push(...Object.values(part));
  }
  return names;
}

const clauses = new Set(['FROM', 'WHERE', 'GROUP', 'ORDER', 'LIMIT', 'OFFSET']);
const joins = new Set(['LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'SEMI', 'ANTI']);
const between = new Set(['UNION', 'EXCEPT', 'INTERSECT']);

/** SQL with a line for each clause, each column of a SELECT list and each condition. */
function inLines(sql: string): string {
  let lines = '';
  /** For each open parenthesis, whether a query is in it, and the clause of it. */
  const open = [{ isQuery: true, clause: '' }];
  const newLine = (further = 0) => {
    const depth = open.filter(({ isQuery }) => isQuery).length - 1 + further;
    lines = lines.trimEnd();
    if (lines !== '') lines += `\n${'  '.repeat(depth)}`;
  };
  for (const { 0: part, index } of sql.matchAll(token)) {
    const inner = open.at(-1) as { isQuery: boolean; clause: string };
    if (part === '(') {
      const isQuery = query.test(sql.slice(index + 1, index + 100));
      lines += part;
      open.push({ isQuery, clause: '' });
      if (isQuery) newLine();
    } else if (part === ')') {
      open.pop();
      if (inner.isQuery) newLine();
      lines += part;
    } else if (!inner.isQuery) {
      lines += part;
    } else if (/^\s+$/.test(part)) {
      if (!/\s$/.test(lines)) lines += ' ';
    } else if (part === 'SELECT') {
      newLine();
      lines += part;
      inner.clause = 'list';
      newLine(1);
    } else if (part === ',' && inner.clause === 'list') {
      lines += part;
      newLine(1);
    } else if (clauses.has(part) || between.has(part)) {
      newLine();
      lines += part;
      inner.clause = part;
    } else if (joins.has(part) && inner.clause === 'FROM') {
      newLine();
      lines += part;
    } else if (part === 'AND' && inner.clause === 'WHERE') {
      newLine(1);
      lines += part;
    } else {
      lines += part;
    }
  }
  return lines.trimEnd();
}
