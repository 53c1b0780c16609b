import { expect, test } from 'vitest';
import { formulasAsText } from '../../../../src/console/parts/answer/formulas-as-text.ts';

test.each([
  ['a,b\r\n=1+1,2\r\n', "a,b\r\n'=1+1,2\r\n"],
  ['"=HYPERLINK(""x"",1)",+1', `"'=HYPERLINK(""x"",1)",'+1`],
  ['@a,"\t=1","\r=1"', `'@a,"'\t=1","'\r=1"`],
  ['-1,-1.5,-1e+20,-a', "-1,-1.5,-1e+20,'-a"],
  ['a=1,"b,=2","c\n=3",,""', 'a=1,"b,=2","c\n=3",,""'],
])('%j becomes %j', (csv, text) => {
  expect(formulasAsText(csv)).toBe(text);
});
