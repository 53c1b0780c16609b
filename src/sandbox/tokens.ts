/**
 * A token of GoogleSQL, as needed to measure a text. A word is a keyword or an unquoted name; a symbol is one or two
 * characters of punctuation. Literals, quoted names and comments are skipped.
 */
type Token = { readonly word: string } | { readonly symbol: string };

/**
 * Literals, quoted names and comments are matched to be skipped
 * (https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical). An unclosed one extends to the end of its
 * line or text: every analyzer rejects it, and trying each of many quotes to the end would take quadratic time.
 */
const pattern =
  /[rRbB]{0,2}(?:"""(?:\\.|[^\\])*?(?:"""|\\?$)|'''(?:\\.|[^\\])*?(?:'''|\\?$)|"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?)|`(?:\\.|[^`\\\r\n])*`?|(?:--|#)[^\r\n]*|\/\*.*?(?:\*\/|$)|([\p{L}_][\p{L}\p{N}_]*)|\.?\d[\w.]*|(\|\||<<|>>|<=|>=|<>|!=|=>|[^\s\w])/gsu;

/** Yields the tokens of a text, with words in upper case. The text may be invalid. */
export function* tokens(sql: string): Generator<Token> {
  for (const [, word, symbol] of sql.matchAll(pattern)) {
    if (word !== undefined) yield { word: word.toUpperCase() };
    else if (symbol !== undefined) yield { symbol };
  }
}
