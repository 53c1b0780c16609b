import { AnalyzerError } from '../analyzer/error.ts';
import { byteOffsetAt, positionAt } from '../text-position.ts';
import type { Context, Scope } from './context.ts';
import { rewriteExpression } from './expression.ts';
import { joined, originalByte, type Pieces, type Rewriting } from './pieces.ts';
import { rewriteQuery } from './query.ts';
import { Source } from './source.ts';
import { withoutHints } from './without-hints.ts';

/** A text in the syntax that the analyzer knows. */
export interface RewrittenText {
  readonly sql: string;
  /** Absent if the text is unchanged. */
  readonly rewriting?: Rewriting;
}

/** What the text depends on. */
export interface RewriteFacts {
  /** Whether there is a table of this path, in lower case. */
  isTable(path: string): boolean;
  /** The names of a query's columns, empty for those without a name. */
  columnsOf(sql: string): Promise<readonly string[]>;
}

/** How many times a text may ask for the columns of a query. Each takes an analysis. */
const maxQuestions = 20;

/** Thrown to ask for the columns of a query, after which the rewriting starts again. */
class MissingColumns extends Error {
  readonly sql: string;
  readonly rewriting: Rewriting;

  constructor(sql: string, rewriting: Rewriting) {
    super('The columns of a query are unknown');
    this.sql = sql;
    this.rewriting = rewriting;
  }
}

/** An error about a rewritten text with its position in the original. */
export function inOriginal(
  { message, position }: AnalyzerError,
  sql: string,
  rewriting: Rewriting,
): AnalyzerError {
  if (position === undefined) return new AnalyzerError(message);
  const original = originalByte(rewriting, byteOffsetAt(sql, position)) ?? 0;
  return new AnalyzerError(message, positionAt(rewriting.original, original));
}

const outermost: Scope = { withs: [], valueTables: new Set(), isInExpression: false };

/**
 * Rewrites syntax that the analyzer doesn't know into syntax that it knows: pipe operators, FROM queries, GROUP BY ALL,
 * BY NAME, chained function calls. Hints are left out.
 *
 * @throws AnalyzerError with a position in `text`
 */
export async function rewriteText(text: string, facts: RewriteFacts): Promise<RewrittenText> {
  const source = withoutHints(new Source(text));
  if (!isConcerned(source)) return { sql: source.text };
  checkNames(source);
  const columns = new Map<string, readonly string[]>();
  for (;;) {
    try {
      const context = newContext(source, facts, columns);
      const { pieces } = context.query(source.all, outermost);
      return joined(source.text, pieces);
    } catch (error) {
      if (!(error instanceof MissingColumns)) throw error;
      const { sql, rewriting } = error;
      if (columns.size === maxQuestions)
        throw source.error(0, `More than ${maxQuestions} RENAMEs are not supported`);
      const names = await facts.columnsOf(sql).catch((failure: unknown) => {
        throw failure instanceof AnalyzerError ? inOriginal(failure, sql, rewriting) : failure;
      });
      columns.set(sql, names);
    }
  }
}

/** Refuses names whose text doesn't show which they are. */
function checkNames(source: Source): void {
  const escaped = source.tokens.findIndex(({ kind, text }) => kind === 'name' && text.includes('\\'));
  if (escaped >= 0) throw source.error(escaped, 'An escape in a quoted name is not supported in this syntax');
}

function newContext(
  source: Source,
  { isTable }: RewriteFacts,
  columns: ReadonlyMap<string, readonly string[]>,
): Context {
  const prefix = unusedPrefix(source.text);
  const valueTables = new Set<number>();
  let names = 0;
  const context: Context = {
    source,
    isTable,
    columnsOf(query: Pieces, { withs }: Scope) {
      const { sql, rewriting } = joined(source.text, withs.length === 0 ? query : inWiths(withs, query));
      const known = columns.get(sql);
      if (known === undefined) throw new MissingColumns(sql, rewriting);
      return known;
    },
    newName: () => `${prefix}${++names}`,
    query(range, scope) {
      const query = rewriteQuery(context, range, scope);
      if (query.isValueTable) valueTables.add(range.from);
      return query;
    },
    isValueTable: (from) => valueTables.has(from),
    expression: (range, scope) => rewriteExpression(context, range, scope),
  };
  return context;
}

function inWiths(withs: readonly Pieces[], query: Pieces): Pieces {
  const open = { text: '(', at: 0 };
  return [
    ...withs.flatMap((clause) => [...clause, open]),
    ...query,
    ...withs.map(() => ({ text: ')', at: 0 })),
  ];
}

/** The beginning of names that the text doesn't contain. */
function unusedPrefix(text: string): string {
  const lower = text.toLowerCase();
  let prefix = '_pipe_';
  while (lower.includes(prefix)) prefix += '_';
  return prefix;
}

/** Whether a text has anything to rewrite. All others stay as they are. */
function isConcerned(source: Source): boolean {
  const { tokens } = source;
  return tokens.some((token, index) => {
    if (token.kind === 'symbol') {
      if (token.text === '|>') return true;
      if (token.text === '(') return source.isWord(index + 1, 'FROM');
      if (token.text !== '.') return false;
      const before = tokens[index - 1];
      if (before === undefined || before.kind === 'word' || before.kind === 'name') return false;
      return source.isSymbol(index + 1, '(') || source.isSymbol(index + 2, '(');
    }
    if (token.kind !== 'word') return false;
    if (token.text === 'FROM')
      return index === 0 || (source.isSymbol(index - 1, ')') && isAfterWith(source, index));
    if (token.text === 'GROUP') return source.areWords(index + 1, 'BY', 'ALL');
    if (token.text === 'NAME') return source.isWord(index - 1, 'BY');
    return (
      token.text === 'CORRESPONDING' && (source.isWord(index - 1, 'STRICT') || source.isWord(index + 1, 'BY'))
    );
  });
}

/** Whether a FROM follows a WITH clause: the tokens before it on its level begin with WITH and have no SELECT. */
function isAfterWith(source: Source, index: number): boolean {
  let first = index;
  for (let at = index - 1; at >= 0; at--) {
    const opener = source.opener(at);
    if (opener !== undefined) at = opener;
    else if (source.isWord(at, 'SELECT')) return false;
    else if (source.isSymbol(at, '(')) break;
    first = at;
  }
  return source.isWord(first, 'WITH');
}
