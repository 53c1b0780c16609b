import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogLevel } from '../../../../src/definitions/settings/log-settings.ts';
import { jsonLog } from '../../../../src/server/observability/open-log.ts';

const instant = Date.UTC(2026, 0, 31, 10, 0, 0, 123);

function testLog(level: LogLevel = 'info') {
  const written: string[] = [];
  const log = jsonLog({ write: (text) => written.push(text) }, level, () => instant);
  const lines = () => {
    log.flush();
    return written.join('').trimEnd().split('\n').filter(Boolean);
  };
  return { log, written, objects: () => lines().map((line) => JSON.parse(line)), lines };
}

const request = { requestId: 'an-id', method: 'GET', path: '/a', status: 200, durationMs: 1.5 };

test('each line is a JSON object with its level, time and message', () => {
  const { log, objects } = testLog();
  log.info('Ready');
  log.warn('slow', { seconds: 2 });
  log.error('failed', { cause: 'Error: x\n    at y' });
  log.request?.({
    ...request,
    key: 'a key',
    endpoint: 'logs.all',
    cache: 'hit',
    rows: 3,
    engineMs: 0,
    bytes: 10,
  });
  const time = '2026-01-31T10:00:00.123Z';
  expect(objects()).toEqual([
    { level: 'info', time, msg: 'Ready' },
    { level: 'warn', time, msg: 'slow', seconds: 2 },
    { level: 'error', time, msg: 'failed', cause: 'Error: x\n    at y' },
    {
      level: 'info',
      time,
      msg: 'request',
      ...request,
      key: 'a key',
      endpoint: 'logs.all',
      cache: 'hit',
      rows: 3,
      engineMs: 0,
      bytes: 10,
    },
  ]);
});

test('the level says what is left out', () => {
  const messagesAt = (level: LogLevel) => {
    const { log, objects } = testLog(level);
    log.info('info');
    log.warn('warn');
    log.error('error');
    log.request?.(request);
    return objects().map(({ msg }) => msg);
  };
  expect(messagesAt('debug')).toEqual(['info', 'warn', 'error', 'request']);
  expect(messagesAt('info')).toEqual(['info', 'warn', 'error', 'request']);
  expect(messagesAt('warn')).toEqual(['warn', 'error']);
  expect(messagesAt('error')).toEqual(['error']);
  expect(messagesAt('silent')).toEqual([]);
});

test('lines of requests go out together, in order with all others; a warning does not wait', () => {
  const { log, written } = testLog();
  for (let each = 0; each < 3; each++) log.request?.(request);
  expect(written).toEqual([]);
  log.warn('slow');
  expect(written).toHaveLength(1);
  expect(written[0]?.match(/"msg":"\w+"/g)).toEqual([...Array(3).fill('"msg":"request"'), '"msg":"slow"']);
});

test("any text stays in its line and field, and can't control a terminal", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { log, lines, objects } = testLog();
      log.error(text, { cause: text });
      expect(lines()).toHaveLength(1);
      expect(lines()[0]).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(objects()[0]).toMatchObject({ level: 'error', msg: text, cause: text });
    }),
  );
});
