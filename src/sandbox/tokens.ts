/**
 * A token of GoogleSQL, as far as measuring a text needs it: a word is a keyword or a name without quotes, a
 * symbol one or two characters of punctuation. Literals, quoted names and comments are none.
 */
type Token = { readonly word: string } | { readonly symbol: string };

/**
 * Literals, quoted names and comments are matched to be skipped
 * (https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical). One that is never closed goes to the end of
 * its line or text: no analyzer takes it, and trying each of many quotes to the end would take the square of the length.
 */
const pattern =
  /[rRbB]{0,2}(?:"""(?:\\.|[^\\])*?(?:"""|\\?$)|'''(?:\\.|[^\\])*?(?:'''|\\?$)|"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?)|`(?:\\.|[^`\\\r\n])*`?|(?:--|#)[^\r\n]*|\/\*.*?(?:\*\/|$)|([\p{L}_][\p{L}\p{N}_]*)|\.?\d[\w.]*|(\|\||<<|>>|<=|>=|<>|!=|=>|[^\s\w])/gsu;

/** The tokens of a text, words in upper case. It need not be valid. */
export function* tokens(sql: string): Generator<Token> {
  for (const [, word, symbol] of sql.matchAll(pattern)) {
    if (word !== undefined) yield { word: word.toUpperCase() };
    else if (symbol !== undefined) yield { symbol };
  }
}
