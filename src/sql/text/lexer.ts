/** A token of GoogleSQL. Comments and spaces are not tokens. */
export interface Token {
  /** A word is a keyword or an unquoted name; a name is quoted. `@name` is a parameter. */
  readonly kind: 'word' | 'name' | 'parameter' | 'literal' | 'symbol';
  /** The text as written; words in upper case. */
  readonly text: string;
  /** Its place in UTF-16 units. The end is excluded. */
  readonly start: number;
  readonly end: number;
}

/**
 * The lexical structure (https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical). An unclosed literal
 * extends to the end of its line or text: every analyzer rejects it, and trying each of many quotes to the end would
 * take quadratic time.
 */
const pattern =
  /([rRbB]{0,2}(?:"""(?:\\.|[^\\])*?(?:"""|\\?$)|'''(?:\\.|[^\\])*?(?:'''|\\?$)|"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?))|(`(?:\\.|[^`\\\r\n])*`?)|(?:--|#)[^\r\n]*|\/\*.*?(?:\*\/|$)|([\p{L}_][\p{L}\p{N}_]*)|(@{1,2}[\p{L}_][\p{L}\p{N}_]*)|(\.?\d[\w.]*)|(\|\||\|>|<<|>>|<=|>=|<>|!=|=>|[^\s\w])/gsu;

/** The tokens of a text, which may be invalid. */
export function* tokens(sql: string): Generator<Token> {
  for (const match of sql.matchAll(pattern)) {
    const [whole, text, name, word, parameter, number, symbol] = match;
    const place = { start: match.index, end: match.index + whole.length };
    if (word !== undefined) yield { kind: 'word', text: word.toUpperCase(), ...place };
    else if (symbol !== undefined) yield { kind: 'symbol', text: symbol, ...place };
    else if (name !== undefined) yield { kind: 'name', text: name, ...place };
    else if (parameter !== undefined) yield { kind: 'parameter', text: parameter, ...place };
    else if (text !== undefined || number !== undefined) yield { kind: 'literal', text: whole, ...place };
  }
}
