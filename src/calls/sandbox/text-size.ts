import { tokens } from '../../sql/text/lexer.ts';

/** The size of a SQL text, in the terms that make analyzers and engines slow. */
interface TextSize {
  /** Nested brackets and CASEs. */
  readonly nesting: number;
  /** Nesting, including chains of operators: `1 + 1 + 1` is a tree of three levels. */
  readonly depth: number;
  /** Joins in the FROM clause that has the most. */
  readonly joins: number;
  readonly selects: number;
}

/** The state between two brackets, or between CASE and END. */
interface Level {
  chain: number;
  inFrom: boolean;
  joins: number;
}

/** Words that end an expression. Chains of AND and OR don't make the tree deeper. */
const boundaries = new Set(
  `SELECT FROM WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT JOIN ON USING AND OR WHEN THEN ELSE
   WITH`.split(/\s+/),
);

const operatorWords = new Set(['NOT', 'IS', 'LIKE', 'IN', 'BETWEEN']);

/** Words that end a FROM clause. */
const fromEnds = new Set('SELECT WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT'.split(' '));

/** Measures a text by its tokens, in one pass. The text may be invalid: an analyzer rejects it quickly. */
export function textSize(sql: string): TextSize {
  const size = { nesting: 0, depth: 0, joins: 0, selects: 0 };
  let level: Level = { chain: 0, inFrom: false, joins: 0 };
  const outer: Level[] = [];
  let chains = 0;
  let afterDot = false;
  const open = () => {
    outer.push(level);
    level = { chain: 0, inFrom: false, joins: 0 };
    size.nesting = Math.max(size.nesting, outer.length);
    size.depth = Math.max(size.depth, outer.length + chains);
  };
  const endChain = () => {
    chains -= level.chain;
    level.chain = 0;
  };
  const close = () => {
    endChain();
    level = outer.pop() ?? level;
  };
  const lengthen = () => {
    level.chain++;
    chains++;
    size.depth = Math.max(size.depth, outer.length + chains);
  };
  const join = () => {
    level.joins++;
    size.joins = Math.max(size.joins, level.joins);
  };
  const readWord = (word: string) => {
    if (word === 'CASE') return open();
    if (word === 'END') return close();
    if (operatorWords.has(word)) return lengthen();
    if (!boundaries.has(word)) return;
    endChain();
    if (word === 'SELECT') {
      size.selects++;
      level.joins = 0;
    }
    if (word === 'JOIN') join();
    if (word === 'FROM' || word === 'JOIN') level.inFrom = true;
    else if (fromEnds.has(word)) level.inFrom = false;
  };
  const readSymbol = (symbol: string) => {
    if ('([{'.includes(symbol)) {
      // A chain of subscripts or calls continues after each pair of brackets.
      lengthen();
      open();
    } else if (')]}'.includes(symbol)) close();
    else if (symbol === ',') {
      endChain();
      if (level.inFrom) join();
    } else if (symbol === ';') endChain();
    else if (symbol === '|>') {
      // A pipe operator becomes a SELECT.
      endChain();
      level.inFrom = false;
      size.selects++;
    } else lengthen();
  };
  for (const { kind, text } of tokens(sql)) {
    // After a dot, even a keyword is a name.
    if (kind === 'word' && !afterDot) readWord(text);
    if (kind === 'symbol') readSymbol(text);
    if (kind === 'word' || kind === 'symbol') afterDot = text === '.';
  }
  return size;
}
