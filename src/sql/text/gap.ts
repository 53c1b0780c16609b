/**
 * A regular expression for what may lie between two tokens of GoogleSQL: white space and closed comments. There is one way to match a
 * text, so that it takes linear time.
 */
export const gap = String.raw`(?:\s|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|(?:--|#)[^\r\n]*[\r\n])*`;
