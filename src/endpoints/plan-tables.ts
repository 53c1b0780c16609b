import type { Analyzer } from '../sql/analyzer/analyzer.ts';
import type { Catalog } from '../sql/analyzer/catalog.ts';
import { AnalyzerError } from '../sql/analyzer/error.ts';
import { type WithEntry, withClause } from '../sql/parse-tree.ts';
import type { Plan } from '../sql/plan.ts';
import type { AnyNode } from '../sql/resolved/node.ts';
import { resultColumns } from '../sql/resolved/result-columns.ts';
import type { Column, SqlType } from '../sql/type.ts';
import type { EndpointTable } from './endpoint.ts';

/** Types by which rows can be put in order of time. */
const timeTypes: ReadonlySet<SqlType['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);

/**
 * Plans that read each entry of a stored query's WITH clause by itself: all of its rows, the newest first where
 * it has a column `timestamp`. A query without a WITH clause has none.
 *
 * @param stored the plan of the stored query
 * @param source the text that was parsed, and its parse tree
 */
export async function planTables(
  stored: Plan,
  source: { readonly text: string; readonly parsed: AnyNode },
  { analyzer, catalog }: { readonly analyzer: Pick<Analyzer, 'analyze'>; readonly catalog: Catalog },
): Promise<EndpointTable[]> {
  const { recursive, entries } = withClause(source.parsed);
  if (entries.length === 0) return [];
  const bytes = Buffer.from(source.text);
  const texts = entries.map(({ start, end }) => bytes.subarray(start, end).toString());
  const analyze = async (select: string, withTexts: readonly string[]): Promise<Plan> => {
    const sql = `WITH ${recursive ? 'RECURSIVE ' : ''}${withTexts.join(',\n')}\n${select}`;
    const statement = await analyzer.analyze(sql, { catalog, parameters: stored.parameters });
    return { sql, statement, columns: resultColumns(statement), parameters: stored.parameters };
  };
  const names = entries.map(({ name }) => `\`${name.replace(/[\\`]/g, '\\$&')}\``);
  // One analysis tells the columns of all of them.
  const records = names.map((name) => `ARRAY(SELECT AS STRUCT * FROM ${name})`);
  const { columns } = await analyze(`SELECT ${records.join(', ')}`, texts);
  return Promise.all(
    entries.map(async ({ name }, index) => {
      const isTimed = fieldsOf(columns[index]).some(
        (field) => field.name.toLowerCase() === 'timestamp' && timeTypes.has(field.type.kind),
      );
      const order = isTimed ? ' ORDER BY `timestamp` DESC' : '';
      const select = `SELECT * FROM ${names[index]}${order}`;
      // Analyzing nine entries takes ten times as long as the one that is read.
      const plan = await analyze(select, recursive ? texts : textsFor(index, entries, texts)).catch(
        (error: unknown) => {
          if (error instanceof AnalyzerError) return analyze(select, texts);
          throw error;
        },
      );
      return { name, plan };
    }),
  );
}

/**
 * The texts of an entry and of all before it whose names stand in it, or in one of those: more than it reads,
 * perhaps, but nothing less, unless a name is written with escapes.
 */
function textsFor(index: number, entries: readonly WithEntry[], texts: readonly string[]): string[] {
  const needed = new Set([index]);
  for (let at = index; at >= 0; at--) {
    if (!needed.has(at)) continue;
    const text = texts[at]?.toLowerCase() ?? '';
    entries.slice(0, at).forEach(({ name }, before) => {
      if (text.includes(name.toLowerCase())) needed.add(before);
    });
  }
  return texts.filter((_, at) => needed.has(at));
}

function fieldsOf(column: Column | undefined): readonly Column[] {
  const type = column?.type;
  return type?.kind === 'ARRAY' && type.element.kind === 'STRUCT' ? type.element.fields : [];
}
