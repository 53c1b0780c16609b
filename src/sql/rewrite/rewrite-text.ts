import type { Analyzer } from '../analyzer/analyzer.ts';
import type { Catalog } from '../analyzer/catalog.ts';
import { AnalyzerError } from '../analyzer/error.ts';
import { resultColumns } from '../resolved/result-columns.ts';
import type { PlacedText } from '../text/place.ts';
import { originalByte, type Rewriting } from '../text/rewriting.ts';
import { byteOffsetAt, positionAt } from '../text/text-position.ts';
import type { SqlType } from '../values/type.ts';
import { isChained, rewriteExpression } from './expression.ts';
import { joined, type Pieces } from './pieces/pieces.ts';
import { Source } from './pieces/source.ts';
import type { Context, Scope } from './pieces/writer.ts';
import { rewriteQuery } from './query.ts';

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

/** How many times a text may ask for the columns of a query. Each writes the text up to there, and may take an analysis. */
const maxQuestions = 20;

/** How many pieces and characters a rewritten text can have. Keys of an order are written twice. */
const maxPieces = 300_000;
const maxCharacters = 5_000_000;

/** How many pieces all queries and pipe operators of a text can have together: each copies those of its input. */
const maxCopied = 2_000_000;

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
 * BY NAME, chained function calls, WHERE and GROUP BY within aggregates. Hints are left out.
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
      if (error instanceof RangeError) throw source.error(0, 'The query is nested too deeply');
      if (!(error instanceof MissingColumns)) throw error;
      const { sql, rewriting } = error;
      const names = await facts.columnsOf(sql).catch((failure: unknown) => {
        throw failure instanceof AnalyzerError ? inOriginal(failure, sql, rewriting) : failure;
      });
      columns.set(sql, names);
    }
  }
}

/** @throws AnalyzerError for a query that becomes too large */
function checkSize(source: Source, pieces: Pieces): void {
  let characters = pieces.length;
  if (pieces.length <= maxPieces) {
    for (const piece of pieces) characters += 'start' in piece ? piece.end - piece.start : piece.text.length;
    if (characters <= maxCharacters) return;
  }
  throw tooLarge(source);
}

function tooLarge(source: Source): AnalyzerError {
  return source.error(0, 'The query is too large in standard syntax');
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
  let questions = 0;
  let generated = 0;
  let copied = 0;
  const context: Context = {
    source,
    isTable,
    columnsOf(query: Pieces, { withs }: Scope) {
      if (++questions > maxQuestions)
        throw source.error(0, `More than ${maxQuestions} RENAMEs are not supported`);
      const { sql, rewriting } = joined(source.text, withs.length === 0 ? query : inWiths(withs, query));
      const known = columns.get(sql);
      if (known === undefined) throw new MissingColumns(sql, rewriting);
      return known;
    },
    generated(text, index) {
      generated += text.length;
      if (generated > maxCharacters) throw tooLarge(source);
      return { text, at: source.offset(index) };
    },
    newName: () => `${prefix}${++names}`,
    copy(pieces) {
      copied += pieces.length;
      if (copied > maxCopied) throw tooLarge(source);
    },
    query(range, scope) {
      const query = rewriteQuery(context, range, scope);
      checkSize(source, query.pieces);
      context.copy(query.pieces);
      if (query.isValueTable) valueTables.add(range.from);
      return query;
    },
    isValueTable: (from) => valueTables.has(from),
    expression: (range, scope) => rewriteExpression(context, range, scope),
  };
  return context;
}

function inWiths(withs: Scope['withs'], query: Pieces): Pieces {
  const open = { text: '(', at: 0 };
  return [
    ...withs.flatMap((clause) => [...clause(), open]),
    ...query,
    ...withs.map(() => ({ text: ')', at: 0 })),
  ];
}

/** The beginning of names that the text doesn't contain. */
function unusedPrefix(text: string): string {
  let longest = 0;
  for (const [found] of text.matchAll(/_pipe_+/gi)) longest = Math.max(longest, found.length);
  return '_pipe_'.padEnd(longest + 1, '_');
}

/** Brackets, or the whole text, up to a token. */
interface Level {
  /** The index of the first token. */
  readonly begin: number;
  /** Whether a name stands before the bracket. */
  readonly isCall: boolean;
  hasSelect: boolean;
}

/** Whether a text has anything to rewrite. All others stay as they are. */
function isConcerned(source: Source): boolean {
  let level: Level = { begin: 0, isCall: false, hasSelect: false };
  const outer: Level[] = [];
  return source.tokens.some((_, index) => {
    if (source.isSymbol(index, '(')) {
      outer.push(level);
      level = { begin: index + 1, isCall: isNamed(source, index - 1), hasSelect: false };
    } else if (source.isSymbol(index, ')')) level = outer.pop() ?? level;
    else if (source.isWord(index, 'SELECT')) level.hasSelect = true;
    return isNew(source, index, level);
  });
}

function isNamed(source: Source, index: number): boolean {
  const kind = source.tokens[index]?.kind;
  return kind === 'word' || kind === 'name';
}

/** Whether a token begins syntax that the analyzer doesn't know. */
function isNew(source: Source, index: number, { begin, isCall, hasSelect }: Level): boolean {
  const token = source.tokens[index];
  if (token?.kind === 'symbol')
    return token.text === '|>' || (token.text === '.' && isChained(source, index));
  if (token?.kind !== 'word') return false;
  switch (token.text) {
    case 'FROM': {
      const isAfterWith = source.isWord(begin, 'WITH') && source.isSymbol(index - 1, ')') && !hasSelect;
      return index === begin || isAfterWith;
    }
    case 'WHERE':
      return isCall && !hasSelect;
    case 'GROUP':
      return (isCall && !hasSelect) || source.areWords(index + 1, 'BY', 'ALL');
    case 'INNER':
      return source.isWord(index + 1, 'UNION', 'INTERSECT', 'EXCEPT');
    case 'NAME':
      return source.isWord(index - 1, 'BY');
    case 'CORRESPONDING':
      return source.isWord(index - 1, 'STRICT') || source.isWord(index + 1, 'BY');
    default:
      return false;
  }
}

/**
 * The text with spaces in place of its hints, `@{...}`. All places stay the same.
 *
 * @throws AnalyzerError for a hint that isn't closed or has other characters than ASCII
 */
function withoutHints(source: Source): Source {
  const texts: string[] = [];
  let end = 0;
  for (let index = 0; index < source.tokens.length; index++) {
    if (!source.isSymbol(index, '@') || !source.isSymbol(index + 1, '{')) continue;
    const close = source.closer(index + 1);
    if (close === undefined) throw source.unexpected(index);
    const hint = source.text.slice(source.offset(index), source.offset(close) + 1);
    if (Buffer.byteLength(hint) > hint.length) {
      throw source.error(index, 'Hints with characters beyond ASCII are not supported');
    }
    texts.push(source.text.slice(end, source.offset(index)), hint.replace(/[^\r\n]/g, ' '));
    end = source.offset(close) + 1;
    index = close;
  }
  return end === 0 ? source : new Source(texts.join('') + source.text.slice(end));
}

/** What analyzing a text requires. */
interface Analysis {
  readonly analyzer: Pick<Analyzer, 'analyze'>;
  readonly catalog: Catalog;
  /** What else may be read, by paths such as `endpoints.orders`, which may have an entry's name behind them. */
  readonly queries?: ReadonlyMap<string, unknown>;
  readonly parameters: ReadonlyMap<string, SqlType>;
}

/**
 * Rewrites a text into syntax that the analyzer knows. Its places still lead to the original.
 *
 * @throws AnalyzerError with a position in the text as written, AnalyzerUnavailableError
 */
export async function rewritePlaced(
  text: PlacedText,
  { analyzer, catalog, queries = new Map(), parameters }: Analysis,
): Promise<PlacedText> {
  const paths = new Set(catalog.tables.map(({ path }) => path.join('.').toLowerCase()));
  const readable = new Set([...queries.keys()].map((path) => path.toLowerCase()));
  const isReadable = (path: string) => readable.has(path) || readable.has(path.replace(/\.[^.]*$/, ''));
  const { sql, rewriting } = await rewriteText(text.sql, {
    isTable: (path) => paths.has(path) || isReadable(path),
    columnsOf: async (query) =>
      resultColumns(await analyzer.analyze(query, { catalog, parameters })).map(({ name }) => name),
  });
  if (rewriting === undefined || text.origin === undefined) return { ...text, sql };
  return { sql, origin: { ...text.origin, rewriting } };
}
