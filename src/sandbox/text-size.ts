import { tokens } from './tokens.ts';

/** How large a SQL text is, in what makes an analyzer or an engine slow. */
interface TextSize {
  /** Brackets and CASEs within each other. */
  readonly nesting: number;
  /** The same with the chains of operators that lead there: `1 + 1 + 1` is a tree of three levels. */
  readonly depth: number;
  /** Joins of the FROM clause that has most. */
  readonly joins: number;
  readonly selects: number;
}

/** What stands between two brackets, or between CASE and END. */
interface Level {
  chain: number;
  inFrom: boolean;
  joins: number;
}

/** Words at which an expression ends; AND and OR chain without a deeper tree. */
const boundaries = new Set(
  `SELECT FROM WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT JOIN ON USING AND OR WHEN THEN ELSE
   WITH`.split(/\s+/),
);

const operatorWords = new Set(['NOT', 'IS', 'LIKE', 'IN', 'BETWEEN']);

/** Words that end a FROM clause. */
const fromEnds = new Set('SELECT WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT'.split(' '));

/**
 * Measures a text by its tokens alone, in one pass. It need not be valid: an analyzer that rejects it does so
 * quickly.
 */
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
      // A chain of subscripts or calls goes on behind each pair of brackets.
      lengthen();
      open();
    } else if (')]}'.includes(symbol)) close();
    else if (symbol === ',') {
      endChain();
      if (level.inFrom) join();
    } else if (symbol === ';') endChain();
    else lengthen();
  };
  for (const token of tokens(sql)) {
    if ('word' in token) {
      // What follows a dot is a name, whatever it looks like.
      if (!afterDot) readWord(token.word);
      afterDot = false;
    } else {
      readSymbol(token.symbol);
      afterDot = token.symbol === '.';
    }
  }
  return size;
}
