/** A place in a SQL text. Both count from 1; columns count code points, and a tab goes to the next multiple of 8. */
export interface SqlPosition {
  readonly line: number;
  readonly column: number;
}

/** What the analyzer has against a SQL text: its own sentence, and where. */
export class AnalyzerError extends Error {
  override readonly name = 'AnalyzerError';
  readonly position: SqlPosition | undefined;

  constructor(message: string, position?: SqlPosition) {
    super(message);
    this.position = position;
  }

  /** Splits the `[at line:column]` with which the analyzer ends its sentences off the sentence. */
  static parse(sentence: string): AnalyzerError {
    // Tables in a nested catalog carry their whole path as name, and the analyzer puts the catalog before it again.
    const text = sentence.replace(/(Did you mean )(\w+)\.(?=\2\.)/, '$1');
    const match = /^(.*?)\s*\[at (\d+):(\d+)\]$/s.exec(text);
    if (match === null) return new AnalyzerError(text);
    const [, message = '', line, column] = match;
    return new AnalyzerError(message, { line: Number(line), column: Number(column) });
  }
}

/** The analyzer could not answer at all: it died, hung, or ran out of memory on this text. */
export class AnalyzerUnavailableError extends Error {
  override readonly name: string = 'AnalyzerUnavailableError';
}

/** The same, and by the text's own doing: it took the analyzer too long, or ended a process that it had for itself. */
export class AnalyzerOverwhelmedError extends AnalyzerUnavailableError {
  override readonly name = 'AnalyzerOverwhelmedError';
}
