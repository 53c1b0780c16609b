import { reserved } from '../../text/identifier.ts';
import { isQuery } from './is-query.ts';
import { aggregates, argumentWords, sketchAggregates, typeWords } from './pieces.ts';
import type { Range, Source } from './source.ts';

/** What an expression contains outside its subqueries. */
interface Contents {
  /** The index of a call of an aggregate function that isn't a window function. */
  readonly aggregate: number | undefined;
  /** The index of the word OVER. */
  readonly window: number | undefined;
  readonly hasSubquery: boolean;
  /** Whether it certainly names a column: no word of it could be the name of a type or a part of a date. */
  readonly hasColumn: boolean;
  /** Whether it may name a column. */
  readonly mayHaveColumn: boolean;
}

/** What an expression contains, without what is within its subqueries. */
export function contentsOf(source: Source, range: Range): Contents {
  let aggregate: number | undefined;
  let window: number | undefined;
  let hasSubquery = false;
  let hasColumn = false;
  let mayHaveColumn = false;
  let hasAngle: boolean | undefined;
  const isOfType = () => {
    hasAngle ??= source.tokens.slice(range.from, range.to).some(({ text }) => text === '<');
    return hasAngle;
  };
  const words = (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      const close = source.closer(index);
      if (
        source.isSymbol(index, '(') &&
        close !== undefined &&
        isQuery(source, { from: index + 1, to: close })
      ) {
        hasSubquery = true;
        index = close;
        continue;
      }
      const token = source.tokens[index];
      if (token === undefined || (token.kind !== 'word' && token.kind !== 'name')) continue;
      const isAfterDot = source.isSymbol(index - 1, '.');
      if (source.isWord(index, 'OVER')) window ??= index;
      const open = argumentsOf(source, index);
      if (open !== undefined) {
        const callEnd = source.after(open);
        if (isAggregate(source, index) && !source.isWord(callEnd, 'OVER')) aggregate ??= index;
        continue;
      }
      if (isAfterDot || (token.kind === 'word' && reserved.has(token.text)) || source.isWord(index - 1, 'AS'))
        continue;
      mayHaveColumn = true;
      hasColumn ||= isColumn(source, index, isOfType);
    }
  };
  words(range.from, range.to);
  return { aggregate, window, hasSubquery, hasColumn, mayHaveColumn };
}

/** The index of the bracket with the arguments of a function: `f(x)`, `(x).f()` or `(x).(folder.f)()`. */
function argumentsOf(source: Source, index: number): number | undefined {
  if (source.isSymbol(index + 1, '(')) return index + 1;
  const opener = source.opener(index + 1);
  const isQualified = opener !== undefined && source.isSymbol(opener - 1, '.');
  return isQualified && source.isSymbol(index + 2, '(') ? index + 2 : undefined;
}

/** Whether a name is that of an aggregate function. */
export function isAggregate(source: Source, index: number): boolean {
  const name = source.nameOf(index).toUpperCase();
  const folderKind = source.tokens[index - 2]?.kind;
  const isInFolder = source.isSymbol(index - 1, '.') && (folderKind === 'word' || folderKind === 'name');
  if (!isInFolder) return aggregates.has(name);
  const folder = source.nameOf(index - 2);
  if (/^(?:hll_count|kll_quantiles|d3a_count)$/.test(folder))
    return sketchAggregates.has(name.replace(/_(?:INT64|UINT64|FLOAT64)$/, ''));
  return folder === 'safe' && aggregates.has(name);
}

/**
 * Whether a name can't be that of a type or an argument.
 *
 * @param isOfType whether types of arrays and structs may be around it
 */
function isColumn(source: Source, index: number, isOfType: () => boolean): boolean {
  const token = source.tokens[index];
  if (token?.kind === 'name' || source.isSymbol(index + 1, '.')) return true;
  if (token === undefined || argumentWords.has(token.text)) return false;
  if (!typeWords.has(token.text)) return true;
  if (isOfType()) return false;
  const next = source.tokens[index + 1];
  return next?.kind === 'symbol' && !source.isSymbol(index + 1, '<');
}
