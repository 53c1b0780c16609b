import { Source } from './pieces/source.ts';

/**
 * The text with spaces in place of its hints, `@{...}`. All places stay the same.
 *
 * @throws AnalyzerError for a hint that isn't closed or has other characters than ASCII
 */
export function withoutHints(source: Source): Source {
  const texts: string[] = [];
  let end = 0;
  for (let index = 0; index < source.tokens.length; index++) {
    if (!source.isSymbol(index, '@') || !source.isSymbol(index + 1, '{')) continue;
    const close = source.closer(index + 1);
    if (close === undefined) throw source.unexpected(index);
    const hint = source.text.slice(source.offset(index), source.offset(close) + 1);
    if (Buffer.byteLength(hint) > hint.length) {
      throw source.error(index, 'Hints with characters beyond ASCII are not supported');
    }
    texts.push(source.text.slice(end, source.offset(index)), hint.replace(/[^\r\n]/g, ' '));
    end = source.offset(close) + 1;
    index = close;
  }
  return end === 0 ? source : new Source(texts.join('') + source.text.slice(end));
}
