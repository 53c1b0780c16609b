import { type Token, tokens } from '../text/lexer.ts';
import { positionAt } from '../text/text-position.ts';
import { AnalyzerError } from './error.ts';

/** Functions of BigQuery that neither the analyzer nor DuckDB has, with the reason. A star stands for any ending. */
export const unknownFunctions: readonly { readonly names: readonly string[]; readonly reason: string }[] = [
  {
    names: ['AEAD.*', 'KEYS.*', 'DETERMINISTIC_*', 'DLP_*'],
    reason: "encryption: keys are kept by Google's services",
  },
  {
    names: ['ML.*', 'AI.*', 'VECTOR_SEARCH', 'BAG_OF_WORDS', 'TF_IDF', 'TEXT_ANALYZE', 'SEARCH'],
    reason: 'models, indexes and text analyzers are parts of BigQuery',
  },
  {
    names: ['OBJ.*', 'EXTERNAL_OBJECT_TRANSFORM', 'APPENDS', 'CHANGES'],
    reason: 'a query can read only its tables',
  },
  {
    names: ['EXTERNAL_QUERY', 'SESSION_USER'],
    reason: 'a query can read only its tables, and runs for no user of BigQuery',
  },
  { names: ['GAP_FILL', 'RANGE_SESSIONIZE'], reason: 'there are no table functions' },
  {
    names: [
      'RANGE',
      'RANGE_CONTAINS',
      'RANGE_START',
      'RANGE_END',
      'RANGE_INTERSECT',
      'RANGE_OVERLAPS',
      'GENERATE_RANGE_ARRAY',
    ],
    reason:
      'the type RANGE: this version of the analyzer knows only parts of it, and `FORMAT` of a RANGE ends its process',
  },
  {
    names: ['KLL_QUANTILES.*'],
    reason: 'the form of its sketches is not public; `APPROX_QUANTILES` is exact',
  },
  { names: ['AGG'], reason: 'tables have no measures' },
];

const patterns = unknownFunctions.flatMap(({ names, reason }) =>
  names.map((name) => ({
    pattern: new RegExp(`^${name.replace('.', '\\.').replace('*', '\\w+')}$`, 'i'),
    reason,
  })),
);

/** Why a function is refused. Undefined for one that BigQuery doesn't have either. */
function reasonToRefuse(name: string): string | undefined {
  return patterns.find(({ pattern }) => pattern.test(name))?.reason;
}

/** Syntax of GoogleSQL that the analyzer's parser lacks, so that its error would name something else. */
interface Refused {
  readonly name: string;
  /** Its first words and symbols. */
  readonly words: readonly string[];
  /** Whether it begins a statement. */
  readonly isFirst?: boolean;
}

export const refusedSyntax: readonly Refused[] = [
  { name: 'MATCH_RECOGNIZE', words: ['MATCH_RECOGNIZE', '('] },
  { name: 'GRAPH_TABLE', words: ['GRAPH_TABLE', '('] },
  { name: 'A graph query', words: ['GRAPH'], isFirst: true },
  { name: 'A script', words: ['DECLARE'], isFirst: true },
  { name: 'DIFFERENTIAL_PRIVACY', words: ['WITH', 'DIFFERENTIAL_PRIVACY'] },
  { name: 'ANONYMIZATION', words: ['WITH', 'ANONYMIZATION'] },
];

function begins(all: readonly Token[], at: number, { words, isFirst }: Refused): boolean {
  if (isFirst === true && at > 0) return false;
  return words.every((word, i) => all[at + i]?.text === word && all[at + i]?.kind !== 'literal');
}

/** Whether an error comes from the parser, before any name is looked up. */
export function isOfSyntax({ message }: AnalyzerError): boolean {
  return /^(?:Syntax error|Unexpected keyword|Statement not supported|Invalid identifier after SELECT WITH)/.test(
    message,
  );
}

/**
 * The error about a text. If the text has syntax or functions of BigQuery that the analyzer doesn't know, the error names
 * them at their place.
 */
export function namedRefusal(error: AnalyzerError, sql: string): AnalyzerError {
  const [found = '', name = ''] = /^Function not found: `?([\w.]+)`?/.exec(error.message) ?? [];
  const reason = reasonToRefuse(name);
  if (reason !== undefined)
    return new AnalyzerError(`${found}. It is not supported: ${reason}`, error.position);
  if (!isOfSyntax(error)) return error;
  const all = [...tokens(sql)];
  for (const [at, { start }] of all.entries()) {
    const found = refusedSyntax.find((syntax) => begins(all, at, syntax));
    if (found !== undefined)
      return new AnalyzerError(
        `${found.name} is not supported`,
        positionAt(sql, Buffer.byteLength(sql.slice(0, start))),
      );
  }
  return error;
}
