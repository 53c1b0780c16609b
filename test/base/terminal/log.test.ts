import { expect, test } from 'vitest';
import { plainLog } from '../../../src/base/terminal/log.ts';

test('the log writes warnings and errors, one line each, and nothing else', () => {
  const lines: string[] = [];
  const log = plainLog((line) => lines.push(line));
  log.info('started');
  log.warn('slow');
  log.error('a request failed', { path: '/a b', attempts: 2, cause: 'Error: x\n    at y' });
  expect(lines).toEqual([
    'warning: slow\n',
    'error: a request failed path="/a b" attempts=2 cause="Error: x\\n    at y"\n',
  ]);
});

test('nothing in a line ends it early or steers a terminal', () => {
  const lines: string[] = [];
  plainLog((line) => lines.push(line)).warn('a\nerror: forged', { path: '\u001b[2J\u009b2J\u2028\r' });
  expect(lines).toEqual(['warning: a\\u000aerror: forged path="\\u001b[2J\\u009b2J\\u2028\\r"\n']);
});
