import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/console/api/json.ts';
import { levelOf } from '../../../../src/console/parts/level/level.ts';

test.each([
  ['a word', { level: 'WARN' }, 'warning', 'WARN'],
  ['in a list of records', { metadata: [{ parsed: [{ error_severity: 'FATAL' }] }] }, 'error', 'FATAL'],
  ['in capitals', { severityText: 'Info' }, 'info', 'Info'],
  ['a number of pino', { level: 50 }, 'error', '50'],
  ['a number of syslog', { severity: '4' }, 'warning', '4'],
  ['a status', { metadata: [{ response: [{ status_code: 503 }] }] }, 'error', '503'],
  ['a status by another name', { res: { statusCode: 404 } }, 'warning', '404'],
  ['a level before a status', { status: 500, metadata: [{ level: 'info' }] }, 'info', 'info'],
  ['further out first', { a: [{ level: 'debug' }], level: 'error' }, 'error', 'error'],
  ['a null before a level', { level: null, metadata: [{ level: 'notice' }] }, 'info', 'notice'],
  ['an unknown word', { level: 'chatty' }, 'none', 'chatty'],
  ['a member of all objects', { level: 'constructor' }, 'none', 'constructor'],
  ['nothing', { event_message: 'ERROR' }, 'none', ''],
  ['a status that is none', { status: 'ok' }, 'none', ''],
] as const)('%s', (_case, row, severity, text) => {
  expect(levelOf(row)).toEqual({ severity, text });
});

test('rows of any size and depth take no time', () => {
  let deep: JsonObject = { level: 'error' };
  for (let depth = 0; depth < 20_000; depth += 1) deep = { a: deep };
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, 1]));
  for (const row of [deep, wide]) expect(levelOf(row).severity).toBe('none');
});
