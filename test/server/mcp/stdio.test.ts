import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import type { Caller } from '../../../src/calls/access/caller/caller.ts';
import { serveStdio } from '../../../src/server/mcp/serve-stdio.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';
import type { PlainResult } from '../../calls/executor/support/result.ts';
import { callParts } from '../../support/call-of.ts';
import { fakeExecutor, fakeLog } from '../listener/running-gateway.ts';
import { agentShape, resultWith, totals } from './support/agent.ts';

/** A server whose input and output the test has in hand. */
function serve(
  answer: (signal: AbortSignal) => PlainResult | Promise<PlainResult>,
  caller = (): Caller => ({ name: 'mcp', scopes: new Set(['query']), redact: false }),
) {
  const [input, output, log, clock] = [new PassThrough(), new PassThrough(), fakeLog(), new ManualClock()];
  const stop = new AbortController();
  const executor = fakeExecutor((_call, { signal }) => answer(signal));
  const recorded: unknown[] = [];
  const ended = serveStdio({
    parts: { shape: agentShape(), calls: callParts(executor) },
    caller,
    ...{ input, output, log, clock },
    recordCalls: (calls, who, { api }) => {
      for (const { endpoint, code, rows } of calls) recorded.push([who?.name, api, endpoint, code, rows]);
    },
    requestTimeoutMs: 1_000,
    stop: stop.signal,
  });
  let text = '';
  output.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return {
    ...{ input, output, log, clock, ended, stop, executor, recorded },
    write: (...messages: readonly (object | string)[]) => {
      for (const message of messages)
        input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    },
    /** The messages so far. */
    messages: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

const callOf = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'totals' } });
const oneRow = () => resultWith(totals.plan.columns, [[1n, 1, 'a']]);

describe('over standard input and output', () => {
  test('calls are answered, even those before the end of the input', async () => {
    const { write, input, messages, ended } = serve(oneRow);
    write(callOf(1), { jsonrpc: '2.0', id: 2, method: 'tools/list' }, callOf(3));
    input.end();
    await ended;
    expect(
      messages()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, 3]);
    const first = messages().find(({ id }) => id === 1);
    expect(first.result.structuredContent.rows).toEqual([{ total: 1, ratio: 1, text: 'a' }]);
  });

  test('calls are recorded, those with wrong arguments under their endpoint, too', async () => {
    const { write, input, ended, recorded } = serve(oneRow);
    const call = (id: number, args: object) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'totals', arguments: args } },
    });
    write(callOf(1), call(2, { nothing: 1 }), call(3, { max_rows: 'x' }));
    input.end();
    await ended;
    expect(recorded.map(String).sort()).toEqual([
      'mcp,mcp,totals,,1',
      'mcp,mcp,totals,BAD_USER_INPUT,0',
      'mcp,mcp,totals,BAD_USER_INPUT,0',
    ]);
  });

  test('calls in progress at the end of the input are answered', async () => {
    const result = Promise.withResolvers<PlainResult>();
    const { write, input, messages, ended, executor } = serve(() => result.promise);
    write(callOf(1));
    input.end();
    await once(input, 'close');
    await expect.poll(() => executor.calls.length).toBe(1);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    expect(isOver).toBe(false);
    result.resolve(oneRow());
    await ended;
    expect(messages()).toMatchObject([{ id: 1, result: { structuredContent: { total_rows: 1 } } }]);
  });

  test('a broken line is reported in the log, and the next one answered', async () => {
    const { write, messages, log, stop, ended } = serve(oneRow);
    write('{', '{"jsonrpc":"2.0"}', 'npm run', callOf(1));
    await expect.poll(messages).toMatchObject([{ id: 1 }]);
    expect(log.lines).toEqual(Array.from({ length: 3 }, () => 'warn: a message was ignored'));
    stop.abort();
    await ended;
  });

  test('a cancelled call ends', async () => {
    const began = Promise.withResolvers<AbortSignal>();
    const { write, messages, input, ended, log } = serve((signal) => {
      began.resolve(signal);
      return new Promise(() => {});
    });
    write(callOf(1));
    const signal = await began.promise;
    write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } });
    await expect.poll(() => signal.aborted).toBe(true);
    input.end();
    await ended;
    expect(messages()).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  test('a key that is no longer valid ends nothing but its calls', async () => {
    let isValid = true;
    const caller = (): Caller => {
      if (!isValid) throw new GatewayError('UNAUTHENTICATED', 'MCP_KEY: Unauthorized');
      return { name: 'agent', scopes: new Set(['query']), redact: false };
    };
    const { write, messages, input, ended, executor } = serve(oneRow, caller);
    write(callOf(1));
    await expect.poll(messages).toMatchObject([{ result: { structuredContent: { total_rows: 1 } } }]);
    isValid = false;
    write(callOf(2));
    input.end();
    await ended;
    expect(messages()[1]).toMatchObject({
      result: { isError: true, content: [{ text: 'UNAUTHENTICATED: MCP_KEY: Unauthorized' }] },
    });
    expect(executor.calls).toHaveLength(1);
  });

  test('a call ends when its time is over', async () => {
    const { write, messages, input, ended, clock, executor } = serve(() => new Promise(() => {}));
    write(callOf(1));
    await expect.poll(() => executor.calls.length).toBe(1);
    await clock.advance(1_000);
    input.end();
    await ended;
    expect(messages()).toMatchObject([
      {
        result: {
          isError: true,
          content: [{ text: expect.stringContaining('QUERY_TIMEOUT: The call timed out after 1000 ms.') }],
        },
      },
    ]);
  });

  test('a defect is in the log, and not in the answer', async () => {
    const { write, messages, input, ended, log } = serve(() => {
      throw new Error('secret');
    });
    write(callOf(1));
    input.end();
    await ended;
    expect(JSON.stringify(messages())).toContain('INTERNAL_SERVER_ERROR');
    expect(JSON.stringify(messages())).not.toContain('secret');
    expect(log.lines).toEqual(['error: a call failed unexpectedly']);
  });

  test('it ends when the client no longer reads', async () => {
    const { output, ended } = serve(oneRow);
    output.destroy(new Error('EPIPE'));
    await ended;
  });
});
