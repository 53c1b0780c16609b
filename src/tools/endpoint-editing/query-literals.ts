import { sourceCatalog } from '../../app/schema/source-catalog.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { defaultSandboxLimits } from '../../calls/sandbox/limits.ts';
import { checkText } from '../../calls/sandbox/plan-ad-hoc-query.ts';
import { entryOfSource } from '../../definitions/endpoints/tables-endpoint.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { pathOfTable, sqlOfSource, tableOfSource } from '../../definitions/sources/source.ts';
import type {
  EditingParts,
  EditingWork,
  QueryLiteral,
  QueryLiterals,
  TextSpan,
} from '../../server/operator/endpoint-files/endpoint-editing.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import { textRange } from '../../sql/plan/parse-tree.ts';
import { type Plan, statementOf, withOwnTree } from '../../sql/plan/plan.ts';
import { nodesOf } from '../../sql/plan/tree-nodes.ts';
import { asMessage } from '../../sql/resolved/node.ts';
import { identifier, reserved } from '../../sql/text/identifier.ts';
import { type Token, tokens } from '../../sql/text/lexer.ts';
import { originalByte } from '../../sql/text/rewriting.ts';
import { packed } from '../../sql/values/packed.ts';
import { literalsIn } from './literals-in.ts';
import { requireReadable } from './readable-tree.ts';

interface LiteralsParts {
  readonly planner: Pick<EditingParts['planner'], 'planText'>;
  readonly sources: readonly Source[];
  readonly work: EditingWork;
}

/**
 * Reads an ad-hoc query over all sources as the query of an endpoint: its tables are written as endpoints write them, and the
 * values in it are found, which parameters could have instead.
 *
 * @throws GatewayError BAD_USER_INPUT for a query with errors, with their place; the signal's reason
 */
export async function queryLiterals(
  sql: string,
  { planner, sources, work }: LiteralsParts,
): Promise<QueryLiterals> {
  const text = sql.trim().replace(/;$/, '').trimEnd();
  checkText(text, defaultSandboxLimits);
  const { account, signal } = work;
  const catalog = packed(catalogOfBoth(sources));
  const { plan, mistake } = await planner.planText(
    { sql: text, declared: new Map(), hasTables: false, catalog, account },
    signal,
  );
  if (plan === undefined) throw mistaken(mistake);
  requireReadable(plan);
  const own = withOwnTree(plan);
  const edits = tableEdits(own, text, sources);
  const written = literalsIn(own, text);
  const moved = (span: TextSpan) => ({ from: shifted(span.from, edits), to: shifted(span.to, edits) });
  return {
    sql: edited(text, edits),
    literals: withOwnNames(written).map((literal) => ({ ...literal, ...moved(literal) })),
  };
}

function mistaken(
  mistake: Awaited<ReturnType<LiteralsParts['planner']['planText']>>['mistake'],
): GatewayError {
  const { message = 'The query has an error.', position } = mistake ?? {};
  if (position === undefined) return new GatewayError('BAD_USER_INPUT', message);
  const { line, column } = position;
  return new GatewayError('BAD_USER_INPUT', `${message} [at ${line}:${column}]`, {
    location: { line, column },
  });
}

/** All sources as endpoints name them, and by the names that ad-hoc queries may use. */
function catalogOfBoth(sources: readonly Source[]): Catalog {
  const { tables } = sourceCatalog(sources);
  const short = tables.map((table, index) => ({
    ...table,
    path: [entryOfSource(sources[index]?.name ?? '')] as const,
  }));
  return { tables: [...tables, ...short] };
}

interface Edit extends TextSpan {
  readonly text: string;
}

/** The short names of tables, with what endpoints write instead. */
function tableEdits(plan: Plan, text: string, sources: readonly Source[]): readonly Edit[] {
  const all = [...tokens(text)];
  const found = new Map<number, Edit>();
  const bytes = Buffer.from(text);
  for (const scan of nodesOf('resolved_table_scan_node', statementOf(plan))) {
    const { name, full_name } = asMessage(scan.table, 'table');
    const table = String(full_name || name);
    const source = sources.find((each) => entryOfSource(each.name) === table);
    const range = textRange(scan);
    if (source === undefined || range === undefined) continue;
    const rewriting = plan.origin?.rewriting;
    const start = rewriting === undefined ? range.start : originalByte(rewriting, range.start);
    const from = start === undefined ? undefined : bytes.subarray(0, start).toString().length;
    const index = all.findIndex((token) => token.start === from);
    const token = all[index];
    if (token === undefined || nameOf(token, text).toLowerCase() !== table.toLowerCase()) continue;
    const hasAlias = isAlias(all[index + 1]);
    const alias = hasAlias || implicitName(source) === table ? '' : ` AS ${identifier(table)}`;
    found.set(token.start, { from: token.start, to: token.end, text: `${writtenTable(source)}${alias}` });
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}

/** The table of a source as people write it. */
function writtenTable(source: Source): string {
  const path = pathOfTable(tableOfSource(source));
  return /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(path) && !reserved.has(path.split('.')[1]?.toUpperCase() ?? '')
    ? path
    : sqlOfSource(source);
}

function nameOf({ kind, start, end }: Token, text: string): string {
  const written = text.slice(start, end);
  return kind === 'name' ? written.slice(1, -1) : written;
}

/** By which queries name the columns of a table without an alias. */
function implicitName({ name, wildcard }: Source): string | undefined {
  return wildcard === undefined ? name.split('.').at(-1) : undefined;
}

function isAlias(token: Token | undefined): boolean {
  if (token?.kind === 'name') return true;
  return token?.kind === 'word' && (token.text === 'AS' || !reserved.has(token.text));
}

function shifted(offset: number, edits: readonly Edit[]): number {
  return edits
    .filter(({ to }) => to <= offset)
    .reduce((sum, { from, to, text }) => sum + text.length - (to - from), offset);
}

function edited(text: string, edits: readonly Edit[]): string {
  return edits
    .toReversed()
    .reduce((all, { from, to, text: by }) => all.slice(0, from) + by + all.slice(to), text);
}

/** Names that occur more than once get numbers. */
function withOwnNames(literals: readonly QueryLiteral[]): readonly QueryLiteral[] {
  const taken = new Set<string>();
  return literals.map((literal) => {
    let name = literal.name;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${literal.name}_${number}`;
    taken.add(name.toLowerCase());
    return { ...literal, name };
  });
}
