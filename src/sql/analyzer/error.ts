import type { SqlPosition } from '../text/text-position.ts';

/** An error in a SQL text: the analyzer's message and the position. */
export class AnalyzerError extends Error {
  override readonly name = 'AnalyzerError';
  readonly position: SqlPosition | undefined;

  constructor(message: string, position?: SqlPosition) {
    super(message);
    this.position = position;
  }

  /** Separates the trailing `[at line:column]` from the analyzer's message. */
  static parse(sentence: string): AnalyzerError {
    // The names of tables in a nested catalog contain the whole path, and the analyzer prepends the catalog again.
    const own = inFunctions(sentence.replace(/(Did you mean )(\w+)\.(?=\2\.)/, '$1'));
    // Names that rewriting generates mean nothing to an author.
    const text = own
      .replace(/ inside _pipe_+\d+|; Did you mean _pipe_+\d+\?/g, '')
      // A failed check of the analyzer tells where its own source is, and quotes its trees.
      .replace(/\bZETASQL_RET_CHECK failure.*?(?= \[at \d+:\d+\]$|$)/s, defectTextOf);
    const match = /\[at (\d+):(\d+)\]$/.exec(text);
    if (match === null) return new AnalyzerError(text);
    const [, line, column] = match;
    return new AnalyzerError(text.slice(0, match.index).trimEnd(), {
      line: Number(line),
      column: Number(column),
    });
  }
}

/**
 * The analyzer reports an error in a function's body after all calls that lead to it: `Invalid function f [at 2:8];
 * Analysis of function Templated_SQL_Function:f failed [at 1:40]; No matching signature [at 1:40]`. Keeps the error, with
 * the innermost function and position.
 */
function inFunctions(sentence: string): string {
  // The groups of functions in the catalog.
  const text = sentence.replaceAll(/\b(?:Templated_SQL_Function|BigQuery|Defined|Gateway):(?=\w)/gi, '');
  const call =
    /^Invalid function \S+ (\[at \d+:\d+\]); Analysis of function (\S+) failed(?: \[at \d+:\d+\];|:)\s+/;
  let rest = text;
  let [outer, name] = ['', ''];
  for (let match = call.exec(rest); match !== null; match = call.exec(rest)) {
    [, outer = '', name = ''] = match;
    rest = rest.slice(match[0].length);
  }
  if (name === '') return text;
  return `In the function ${name}: ${rest}${/\[at \d+:\d+\]$/.test(rest) ? '' : ` ${outer}`}`;
}

const defectText = 'The SQL analyzer fails on this query';

/** Checks of the analyzer that fail on some texts, and what is wrong with these. */
const failedChecks: readonly (readonly [RegExp, string])[] = [
  [/HasCompatibleStructure/, 'A text with a collation stands in an array whose elements have another type'],
  [
    /^Resolved AST validation failed: (?:Incorrect reference to|Column list contains) column/,
    'A column is read that is not there any more, as in QUALIFY with an aggregate function but without GROUP BY',
  ],
];

function defectTextOf(failure: string): string {
  return failedChecks.find(([check]) => check.test(failure))?.[1] ?? defectText;
}

/** An error in a SQL text that the analyzer has no message for: one of its own checks failed. */
export class AnalyzerDefect extends AnalyzerError {
  /** @param failure what the analyzer says about its check */
  constructor(failure: string) {
    super(defectTextOf(failure));
  }
}

/** Thrown when the analyzer could not answer: it died, hung, or ran out of memory on this text. */
export class AnalyzerUnavailableError extends Error {
  override readonly name: string = 'AnalyzerUnavailableError';
}

/**
 * An `AnalyzerUnavailableError` that the text itself caused: it took too long, or ended a process that worked on
 * nothing else.
 */
export class AnalyzerOverwhelmedError extends AnalyzerUnavailableError {
  override readonly name = 'AnalyzerOverwhelmedError';
}
