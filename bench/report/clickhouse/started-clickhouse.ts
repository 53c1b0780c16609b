import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  type ClickhouseAnswer,
  type ClickhouseOrder,
  type ClickhouseStarted,
  clickhouseAnswer,
  clickhouseStarted,
} from './clickhouse-messages.ts';

/** ClickHouse in its own process, which is killed when this is disposed. */
export interface StartedClickhouse extends ClickhouseStarted, AsyncDisposable {
  run(sql: string): Promise<ClickhouseAnswer>;
}

/** Starts ClickHouse and waits until it has the rows. */
export async function startedClickhouse(order: ClickhouseOrder): Promise<StartedClickhouse> {
  const clickhouse = fork(new URL('./clickhouse-process.ts', import.meta.url));
  const exit = once(clickhouse, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`ClickHouse ended with exit code ${code}`);
  });
  // It ends when it is disposed, too.
  ended.catch(() => {});
  const ask = async (message: ClickhouseOrder | string) => {
    clickhouse.send(message);
    const [answer] = await Promise.race([once(clickhouse, 'message'), ended]);
    return answer;
  };
  try {
    return {
      ...clickhouseStarted.parse(await ask(order)),
      run: async (sql) => clickhouseAnswer.parse(await ask(sql)),
      async [Symbol.asyncDispose]() {
        clickhouse.kill('SIGKILL');
        await exit;
      },
    };
  } catch (error) {
    clickhouse.kill();
    throw error;
  }
}
