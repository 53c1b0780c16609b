import { fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { type CompetitorOrder, type CompetitorStarted, competitorStarted } from './competitor-order.ts';

/** A competitor in its own process, which is killed when this is disposed. */
export interface StartedCompetitor extends CompetitorStarted, Disposable {
  /** How often its resolver has given rows. */
  calls(): Promise<number>;
}

/** Starts a competitor and waits until it listens. */
export async function startedCompetitor(order: CompetitorOrder): Promise<StartedCompetitor> {
  const server = fork(new URL('./competitor-process.ts', import.meta.url), {
    // Apollo Server and others do less in production.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`${order.competitor} ended with exit code ${code}`);
  });
  // It ends when it is disposed, too.
  ended.catch(() => {});
  const ask = async (message: CompetitorOrder | 'calls') => {
    server.send(message);
    const [answer] = await Promise.race([once(server, 'message'), ended]);
    return answer;
  };
  try {
    const started = competitorStarted.parse(await ask(order));
    return {
      ...started,
      calls: async () => z.int().parse(await ask('calls')),
      [Symbol.dispose]: () => server.kill(),
    };
  } catch (error) {
    server.kill();
    throw error;
  }
}
