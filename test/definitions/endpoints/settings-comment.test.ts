import { expect, test } from 'vitest';
import { readSettingsComment } from '../../../src/definitions/endpoints/settings-comment.ts';

const settings = '/*\nid: 12345678-1234-4234-8234-123456789012\nname: x\n*/\nselect 1';

test.each(['', '\uFEFF', '# a\n-- b\n\n', `${'#'.repeat(80)}\n${'-'.repeat(80)}\n`])(
  'after %j, a block comment has the settings',
  (before) => {
    expect(readSettingsComment('a.sql', before + settings)).toMatchObject({ problems: [] });
  },
);

test.each(['#', '-', '--', '# -- /*\n'])(
  'without one, a file that begins with rows of %j has none',
  (part) => {
    const { problems } = readSettingsComment('a.sql', `${part.repeat(20_000)}\nselect 1`);
    expect(problems).toMatchObject([{ text: expect.stringContaining('No settings') }]);
  },
);
