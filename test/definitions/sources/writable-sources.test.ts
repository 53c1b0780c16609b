import { expect, test } from 'vitest';
import { writableSource } from '../../../src/definitions/sources/writable-sources.ts';

const app = { name: 'app', aliases: ['app.logs'], was: 'old' };
const other = { name: 'other', aliases: ['else'] };

const writing = (named: string, writable: 'all' | readonly string[]) => () =>
  writableSource([app, other], named, writable);

test.each([['app'], ['app.logs'], ['old']])(
  'a key for %s writes to the source by all its names',
  (allowed) => {
    expect(writing('app', [allowed])()).toBe(app);
    expect(writing('app.logs', [allowed])()).toBe(app);
  },
);

test('other sources, and those that there are not, are refused alike', () => {
  const refusal = (name: string) => ({
    code: 'FORBIDDEN',
    message: `This key may not write to the source "${name}".`,
  });
  for (const name of ['other', 'else', 'nothing'])
    expect(writing(name, ['app'])).toThrow(expect.objectContaining(refusal(name)));
});

test('nobody writes to the sources of the gateway, and only restricted keys are told what they are told of others', () => {
  const own = { name: 'gateway.changes', aliases: [] };
  const refusal = (writable: 'all' | readonly string[]) => () => writableSource([own], own.name, writable);
  expect(refusal('all')).toThrow(
    'Nobody may add rows to the source "gateway.changes", or delete them: the gateway itself does.',
  );
  expect(refusal(['app'])).toThrow('This key may not write to the source "gateway.changes".');
  expect(writableSource([own], own.name, 'own')).toBe(own);
});

test('a source that is allowed, or all are, is said to be missing', () => {
  const missing = expect.objectContaining({ code: 'NOT_FOUND' });
  expect(writing('nothing', ['nothing'])).toThrow(missing);
  expect(writing('nothing', 'all')).toThrow(missing);
});

test('a name that another source has now is not that of the one that had it', () => {
  const renamed = { name: 'app', aliases: [], was: 'old' };
  const sources = [renamed, { name: 'old', aliases: [] }];
  expect(() => writableSource(sources, 'app', ['old'])).toThrow('may not write');
});
