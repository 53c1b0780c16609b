import { AnalyzerError } from '../../../sql/analyzer/error.ts';
import { type ParameterUse, parameterUses, queryRange } from '../../../sql/plan/parse-tree.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import type { PlacedText } from '../../../sql/text/place.ts';
import { queryOnly } from '../../../sql/text/query-only.ts';
import { composed, type Rewriting, type Segment } from '../../../sql/text/rewriting.ts';
import { positionAt } from '../../../sql/text/text-position.ts';
import type { EndpointParameter } from '../parameters/endpoint-parameter.ts';
import { type ArgumentPiece, argumentPieces } from './arguments.ts';
import type { Composing } from './composing.ts';
import { definitionsIn, distinctFunctions } from './definitions.ts';
import { pathOf, pathsOf } from './mentions.ts';
import {
  type Composition,
  noComposition,
  type ReadableQueries,
  type ReadableQuery,
} from './readable-query.ts';
import { type Argument, type Reference, referencesIn } from './references.ts';
import { entryOf } from './with-entry.ts';

/** How many bytes a query may have together with those that it reads. Each reading adds the text of what is read. */
const maxBytes = 250_000;

/** A query with the texts of those that it reads in their places. */
export interface Composed {
  readonly text: PlacedText;
  readonly functions: ReadableQuery['functions'];
  readonly composition: Composition;
}

/**
 * Puts stored queries in the places that read them, as subqueries with their arguments in place of their parameters. Both engines
 * then run one query.
 *
 * @param text in the analyzer's syntax
 * @throws AnalyzerError with a position in the text; AnalyzerUnavailableError
 */
export async function compose(text: PlacedText, composing: Composing): Promise<Composed> {
  const { analyzer, queries } = composing;
  const unchanged = { text, functions: [], composition: noComposition };
  if (queries.size === 0) return unchanged;
  const query = queryOnly(text);
  const references = referencesIn(query, await analyzer.parse(query));
  if (references.length === 0) return unchanged;
  const read = references.map((reference) => resolved(reference, query, queries));
  const parts: Part[] = [];
  for (const each of read) parts.push(await subquery(each, query, composing));
  const all = new Map(read.map(({ path, query: one }) => [path, one]));
  return {
    text: spliced(text, parts, definitionsIn(all, text)),
    functions: distinctFunctions([...all.values()].flatMap(({ functions }) => functions)),
    composition: {
      reads: [...all.keys()].sort(),
      unreached: [...new Set(parts.flatMap(({ unreached }) => unreached))].sort(),
    },
  };
}

interface Read {
  readonly reference: Reference;
  readonly path: string;
  readonly query: ReadableQuery;
  /** The WITH entry of the query that is read. The whole query if undefined. */
  readonly entry: string | undefined;
}

function resolved(reference: Reference, sql: string, queries: ReadableQueries): Read {
  const { folder, names, range } = reference;
  const paths = pathsOf(reference);
  const found = paths.map((path) => ({ path, query: queries.get(path) }));
  const [first] = found;
  const best =
    found.find(({ query }) => query !== undefined && 'sql' in query) ??
    found.find(({ query }) => query !== undefined) ??
    first;
  const { path = pathOf(folder, names), query } = best ?? {};
  if (query === undefined) throw mistakeAt(sql, range.start, `There is no ${path}`);
  if ('problem' in query) throw mistakeAt(sql, range.start, query.problem);
  return { reference, path, query, entry: best === first ? undefined : names.at(-1) };
}

/** The text for a place that reads a query, and where its parts come from. */
interface Part {
  readonly reference: Reference;
  readonly pieces: readonly ArgumentPiece[];
  readonly unreached: readonly string[];
}

async function subquery(
  { reference, path, query, entry }: Read,
  sql: string,
  composing: Composing,
): Promise<Part> {
  const { analyzer, catalog } = composing;
  const { hasAlias, names } = reference;
  const known = new Map(query.parameters.map((parameter) => [parameter.name.toLowerCase(), parameter]));
  const given = argumentsOf(reference, sql, known, path);
  const parsed = await analyzer.parse(queryOnly(query));
  const ofEntry =
    entry === undefined
      ? undefined
      : await entryOf(query, parsed, entry, { catalog, analyzer }).catch((error: unknown) => {
          throw error instanceof AnalyzerError
            ? mistakeAt(sql, reference.range.start, `${path}: ${error.message}`)
            : error;
        });
  const text = ofEntry?.sql ?? queryText(query, parsed);
  const uses = parameterUses(await analyzer.parse(text));
  const used = new Set(uses.map(({ name }) => name.toLowerCase()));
  const values = new Map<string, readonly ArgumentPiece[]>();
  for (const [name, parameter] of known) {
    const argument = given.get(name);
    if (used.has(name) && parameter.required && argument === undefined)
      throw mistakeAt(
        sql,
        reference.range.start,
        `${path} requires the parameter "${parameter.name}": (${parameter.name} => …)`,
      );
    if (used.has(name)) values.set(name, await argumentPieces(parameter, argument, sql, composing));
    else if (argument !== undefined)
      throw mistakeAt(
        sql,
        argument.range.start,
        `${path}.${entry} does not use the parameter "${parameter.name}"`,
      );
  }
  const isReached = (name: string) =>
    given.get(name)?.parameter?.toLowerCase() === name &&
    (ofEntry === undefined || ofEntry.boundBy.has(name));
  return {
    reference,
    pieces: [
      { text: '(' },
      ...withValues(text, uses, values),
      { text: `\n)${hasAlias ? '' : ` AS ${identifier(names.at(-1) ?? '')}`}` },
    ],
    unreached: [...query.unreached, ...[...known.keys()].filter((name) => !isReached(name))],
  };
}

/** The arguments by their parameters' names in lower case. */
function argumentsOf(
  { arguments: given }: Reference,
  sql: string,
  known: ReadonlyMap<string, EndpointParameter>,
  path: string,
): ReadonlyMap<string, Argument> {
  const found = new Map<string, Argument>();
  for (const argument of given) {
    const name = argument.name.toLowerCase();
    if (!known.has(name)) {
      const names = [...known.values()].map((parameter) => parameter.name);
      const those = names.length === 0 ? 'It has none' : `It has: ${names.join(', ')}`;
      throw mistakeAt(sql, argument.range.start, `${path} has no parameter "${argument.name}". ${those}`);
    }
    if (found.has(name))
      throw mistakeAt(sql, argument.range.start, `The argument "${argument.name}" is given twice`);
    found.set(name, argument);
  }
  return found;
}

/** The text of the query alone. */
function queryText({ sql }: ReadableQuery, parsed: AnyNode): string {
  const { start, end } = queryRange(parsed) ?? { start: 0, end: undefined };
  return Buffer.from(sql).subarray(start, end).toString();
}

function withValues(
  text: string,
  uses: readonly ParameterUse[],
  values: ReadonlyMap<string, readonly ArgumentPiece[]>,
): readonly ArgumentPiece[] {
  const bytes = Buffer.from(text);
  const pieces: ArgumentPiece[] = [];
  let end = 0;
  for (const { name, byteOffset, byteEnd } of uses) {
    const value = values.get(name.toLowerCase());
    if (value === undefined) continue;
    pieces.push({ text: bytes.subarray(end, byteOffset).toString() }, ...value);
    end = byteEnd;
  }
  return [...pieces, { text: bytes.subarray(end).toString() }];
}

/** The text with parts in place of references, and functions before everything. */
function spliced(text: PlacedText, parts: readonly Part[], functions: string): PlacedText {
  const bytes = Buffer.from(text.sql);
  const segments: Segment[] = [];
  const chunks: string[] = [];
  let at = 0;
  const add = (chunk: string, from: number, isCopy: boolean) => {
    const length = Buffer.byteLength(chunk);
    if (length === 0) return;
    segments.push({ at, length, from, isCopy });
    chunks.push(chunk);
    at += length;
  };
  add(functions, 0, false);
  let end = 0;
  for (const { reference, pieces } of parts) {
    const { start } = reference.range;
    add(bytes.subarray(end, start).toString(), end, true);
    for (const piece of pieces) add(piece.text, piece.from ?? start, piece.from !== undefined);
    end = reference.range.end;
  }
  add(bytes.subarray(end).toString(), end, true);
  if (at > maxBytes)
    throw new AnalyzerError('The query is too large together with the endpoints and views that it reads');
  const functionsEnd = (text.functionsEnd ?? 0) + Buffer.byteLength(functions);
  const rewriting: Rewriting = { original: text.sql, segments };
  return {
    sql: chunks.join(''),
    ...(functionsEnd > 0 && { functionsEnd }),
    ...(text.origin && {
      origin: {
        ...text.origin,
        rewriting: text.origin.rewriting ? composed(text.origin.rewriting, rewriting) : rewriting,
      },
    }),
  };
}

function mistakeAt(sql: string, byteOffset: number, message: string): AnalyzerError {
  return new AnalyzerError(message, positionAt(sql, byteOffset));
}
