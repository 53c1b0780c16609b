import { availableParallelism } from 'node:os';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { maxBlankLines, type ReceiveOptions, receiveRows } from '../../../src/rows/ingest/receive.ts';
import { makeSource, openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';

const source = makeSource('logs', { name: 'n', type: 'INT64' });

const good = (id: string) => `{"id":"${id}","timestamp":0,"n":1}\n`;
const bad = (id: string) => `{"id":"${id}","timestamp":0,"n":"x"}\n`;

async function* bodyOf(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

async function receiver() {
  const store = await openTestStore(await temporaryFolder(), source);
  const receive = (body: AsyncIterable<Uint8Array>, options: Partial<ReceiveOptions> = {}) => {
    const { signal } = new AbortController();
    return receiveRows(store, 'logs', body, { skipBadRows: false, signal, ...options });
  };
  const ids = async () => (await readRows(store, source, 'ORDER BY id')).map(([id]) => id);
  return { store, receive, ids };
}

describe('a received body', () => {
  test('is imported; sent again it adds nothing, and says so', async () => {
    const { store, receive, ids } = await receiver();
    const body = good('a') + good('b') + good('a');
    expect(await receive(bodyOf(body))).toEqual({
      imported: 2,
      duplicates: 1,
      rejected: [],
      rejectedCount: 0,
    });
    expect(await receive(bodyOf(body))).toEqual({
      imported: 0,
      duplicates: 3,
      rejected: [],
      rejectedCount: 0,
    });
    expect(await ids()).toEqual(['a', 'b']);
    expect(store.origin()).toBe('imported');
  });

  test('adds nothing when one row does not fit, and names the first of those that do not', async () => {
    const { receive, ids } = await receiver();
    const badRows = Array.from({ length: 25 }, (_, i) => bad(`bad ${i}`));
    await expect(receive(bodyOf(good('a'), '\n', ...badRows))).rejects.toThrow(
      expect.objectContaining({
        code: 'BAD_USER_INPUT',
        message: expect.stringMatching(
          /^25 rows do not fit, nothing was imported: line 3: n: expected INT64, got "x"; line 4: .*; and 5 more$/,
        ),
      }),
    );
    await expect(receive(bodyOf(bad('a')))).rejects.toThrow(
      'A row does not fit, nothing was imported: line 1: n: expected INT64, got "x"',
    );
    expect(await ids()).toEqual([]);
  });

  test('is imported without its bad rows on request', async () => {
    const { receive, ids } = await receiver();
    const badRows = Array.from({ length: 25 }, (_, i) => bad(`bad ${i}`));
    const result = await receive(bodyOf(good('a'), ...badRows, good('b')), { skipBadRows: true });
    expect(result).toMatchObject({ imported: 2, duplicates: 0, rejectedCount: 25 });
    expect(result.rejected).toHaveLength(20);
    expect(result.rejected[0]).toEqual({ line: 2, reason: 'n: expected INT64, got "x"' });
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('may be compressed, as a file or by the transfer', async () => {
    const { receive, ids } = await receiver();
    await receive(bodyOf(gzipSync(good('a'))));
    await receive(bodyOf(gzipSync(good('b'))), { contentEncoding: 'gzip' });
    await receive(bodyOf(gzipSync(gzipSync(good('c')))), { contentEncoding: 'gzip' });
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  test('adds nothing when it is cut short', async () => {
    const { receive, ids } = await receiver();
    const whole = gzipSync(Array.from({ length: 1000 }, (_, i) => good(`row ${i * i}`)).join(''));
    await expect(receive(bodyOf(whole.subarray(0, -10)), { skipBadRows: true })).rejects.toThrow('cut short');
    expect(await ids()).toEqual([]);
  });

  test('adds nothing when its sender leaves or takes it back', async () => {
    const { receive, ids } = await receiver();
    async function* leaving() {
      yield* bodyOf(good('a'));
      throw new Error('the connection closed');
    }
    await expect(receive(leaving())).rejects.toThrow('the connection closed');

    const controller = new AbortController();
    async function* endless() {
      yield* bodyOf(good('a'));
      controller.abort(new Error('taken back'));
      await new Promise(() => {});
    }
    await expect(receive(endless(), { signal: controller.signal })).rejects.toThrow('taken back');
    expect(await ids()).toEqual([]);
  });

  test('keeps nobody else waiting, and is left at once, however much there is to read at once', async () => {
    const { receive } = await receiver();
    const blankLines = Buffer.alloc(64 * 1024, '\n');
    let read = 0;
    async function* allThere() {
      for (; read < 100; read++) yield blankLines;
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('taken back')));
    await expect(receive(allThere(), { signal: controller.signal })).rejects.toThrow('taken back');
    const readThen = read;
    expect(readThen).toBeLessThan(100);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(read).toBeLessThanOrEqual(readThen + 1);
  });

  test('may have blank lines up to a limit, compressed as well', async () => {
    const { receive, ids } = await receiver();
    const blankLines = '\n'.repeat(maxBlankLines);
    expect(await receive(bodyOf(gzipSync(`${blankLines}${good('a')}`)))).toMatchObject({ imported: 1 });
    await expect(receive(bodyOf(gzipSync(`${good('b')}\n${blankLines}${good('c')}`)))).rejects.toThrow(
      'Line 1000002 is blank, and the limit is 1,000,000 blank lines. Nothing was imported.',
    );
    expect(await ids()).toEqual(['a']);
  });

  test('is read no further than the limit of blank lines', async () => {
    const { receive } = await receiver();
    let pieces = 0;
    async function* endless() {
      for (; ; pieces++) yield Buffer.alloc(64 * 1024, ' \r\n');
    }
    await expect(receive(endless())).rejects.toThrow('the limit is 1,000,000 blank lines');
    // Some chunks are under way when the limit is met, two MiB each at most.
    expect(pieces).toBeLessThan((3 * maxBlankLines) / 65_536 + 32 * (availableParallelism() + 2));
  });

  test.each([true, false])(
    'is read no further than the limit of bad rows, skipped: %s',
    async (skipBadRows) => {
      const { receive, ids } = await receiver();
      async function* endless() {
        yield Buffer.from(good('a'));
        while (true) yield Buffer.from('x\n'.repeat(1000));
      }
      await expect(receive(endless(), { skipBadRows })).rejects.toThrow(
        expect.objectContaining({
          code: 'BAD_USER_INPUT',
          message: expect.stringMatching(
            /^More than 50,000 rows do not fit, which is the limit\. Nothing was imported: line 2: not JSON.*line 21: .*; and 49,980 more$/,
          ),
        }),
      );
      expect(await ids()).toEqual([]);
    },
  );

  test('may say which lines of a file its lines are', async () => {
    const { receive } = await receiver();
    const body = () => bodyOf(`${good('a')}7000000\n${bad('b')}`);
    await expect(receive(body(), { lineNumbers: true })).rejects.toThrow('line 7000000: n: expected');
    await expect(receive(body())).rejects.toThrow('line 2: expected a record, got 7000000; line 3: n: exp');
  });

  test('for an unknown source is refused without being read', async () => {
    const { store } = await receiver();
    async function* unread(): AsyncGenerator<Uint8Array> {
      yield* [];
      throw new Error('it was read');
    }
    const { signal } = new AbortController();
    await expect(receiveRows(store, 'Logs', unread(), { skipBadRows: false, signal })).rejects.toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', message: 'There is no source named "Logs".' }),
    );
  });
});
