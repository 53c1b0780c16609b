import { expect, test } from 'vitest';
import { AnalyzerError } from '../../../src/sql/analyzer/error.ts';
import { gap } from '../../../src/sql/text/gap.ts';

const onlyGap = new RegExp(`^${gap}$`);

test.each(['', ' \n\t', '/**/', '/* * ** /* -- */ ', '-- a /* b\n', '#\r\n# x\n', '/* a */-- b\n/* c **/'])(
  '%j is a gap between tokens',
  (text) => {
    expect(onlyGap.test(text)).toBe(true);
  },
);

test.each(['a', '/* a', '/*/', '-- a', '-', '/* a */ b', '/* a */ */'])('%j is none', (text) => {
  expect(onlyGap.test(text)).toBe(false);
});

/** Each of these takes seconds for thirty repetitions if there are two ways to read one of them. */
test.each(['/**/', '/***/', '#', '--', '--#', ' \n', '# /*\n'])(
  '%j again and again is read in one way',
  (part) => {
    expect(onlyGap.test(`${part.repeat(20_000)}x`)).toBe(false);
  },
);

test('a message with a long gap in it is searched once for its position', () => {
  const message = `No '${' '.repeat(1_000_000)}'`;
  expect(AnalyzerError.parse(message).message).toBe(message);
  expect(AnalyzerError.parse(`${message} [at 1:20]`)).toMatchObject({
    message,
    position: { line: 1, column: 20 },
  });
});
