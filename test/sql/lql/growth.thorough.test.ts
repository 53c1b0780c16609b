import { textSize } from '../../../src/calls/sandbox/limits.ts';
import { checkNameLengths } from '../../../src/sql/analyzer/name-lengths.ts';
import { compileLql } from '../../../src/sql/lql/compile/compile-lql.ts';
import { regexpMistake } from '../../../src/sql/regexp/parse.ts';
import { testGrowth } from '../../support/growth.ts';

const table = { name: 't', columns: [{ name: 'id', type: { kind: 'STRING' } } as const] };
const repeated = (pieces: readonly string[], before = '') =>
  Object.fromEntries(
    pieces.map((piece) => [
      `${before}${piece}`,
      (size: number) => before + piece.repeat(size / piece.length),
    ]),
  );

testGrowth(
  'An LQL text',
  {
    ...repeated(['a', '😀', ' ', 'a ', '"', '\\"', '(', '1..', 'id.', '-', '~']),
    ...repeated(['a', '"x', '\\"', '(', '1..', '2025-01-01T{', '5'], 'id:'),
    ...repeated(['{1..2}', '2025-01-01', '5'], 't:'),
    ...repeated(['_row', '_'], 's:id@row'),
  },
  (text) => compileLql(text, [table], regexpMistake),
  { size: 1_000, maxSize: 128 * 1024 },
);

testGrowth(
  'A regular expression',
  {
    ...repeated([
      'a',
      'a|',
      '(',
      '()',
      'a*',
      'a{1,2}',
      '{1',
      '[',
      '[a-z]',
      '\\pL',
      '\\Q',
      '(?P<a>x)',
      '(?i)',
    ]),
    ...repeated(['a-z', '[[:alpha:]', '\\pL', '[:'], '['),
    ...repeated(['(a*)*', '\\x{', '\\p{', '(?P<']),
  },
  regexpMistake,
  { size: 1_000, maxSize: 128 * 1024 },
);

testGrowth(
  'Measuring a text',
  repeated([
    ...['/*', '*/', '-', '--\n', '#\n', "'", "r'", "'''", '"""\\', '`', '`\n', '\\', 'rb', 'rb ', 'é'],
    ...['(', 'case ', 'select ', 'from a, ', '1e', '@', '..', ', '],
  ]),
  (sql) => {
    textSize(sql);
    checkNameLengths(sql);
  },
  { size: 1_000, maxSize: 128 * 1024 },
);
