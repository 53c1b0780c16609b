import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../../acceptance/support/processes.ts';
import { babbler, proxy } from '../../../support/faulty-server.ts';
import { describeWithRedis, TestRedis } from '../../../support/redis.ts';
import { entryFor, keyedQuery, type OpenStore, p99, Stores, timed, valueIn } from './support/stores.ts';

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What a caller waits for where nothing is cached: a look, a lease, another look. */
async function missed({ store }: OpenStore, project: string) {
  const asked = keyedQuery(project);
  if ((await store.get(asked)) !== undefined) return;
  const lease = await store.lease(asked.key);
  if (typeof lease === 'object') await store.get(asked);
  const finish = async () => {
    await store.set(await entryFor(asked, 1n));
    if (typeof lease === 'object') await lease.release();
  };
  void finish();
}

interface Waits {
  /** Of each request, in milliseconds. */
  readonly times: readonly number[];
  /** The longest time for which this process was too busy to go on, whatever Redis did, in milliseconds. */
  readonly stall: number;
}

/** How long requests wait, each for something else, made for so many milliseconds. */
async function waits(open: OpenStore, duringMs: number): Promise<Waits> {
  const running: Promise<number>[] = [];
  let stall = 0;
  const end = performance.now() + duringMs;
  for (let index = 0; performance.now() < end; index++) {
    running.push(timed(() => missed(open, `${duringMs} ${index}`)));
    stall = Math.max(stall, (await timed(() => sleep(3))) - 3);
  }
  return { times: await Promise.all(running), stall };
}

/** Loosely: the wait of one request has several parts, each of which a stall may lengthen. */
function expectShort({ times, stall }: Waits): void {
  expect(p99(times)).toBeLessThan(60 + 3 * stall);
  expect(Math.max(...times)).toBeLessThan(120 + 4 * stall);
}

/** Milliseconds until the store works with Redis again. */
function untilBack({ store }: OpenStore): Promise<number> {
  const asked = keyedQuery('is it back?');
  return timed(() =>
    eventually('it is back', async () => {
      await store.set(await entryFor(asked, BigInt(Date.now()), { keptUntil: Date.now() + 100_000 }));
      return (await valueIn(store, asked)) !== undefined;
    }),
  );
}

describeWithRedis('with Redis', () => {
  let redis: TestRedis;
  const figures: string[] = [];
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterEach(async () => {
    redis.thaw();
    await redis.command('FLUSHALL');
  });
  afterAll(async () => {
    console.info(figures.join('\n'));
    await redis?.remove();
  });

  /** Requests before, during and after a fault wait for little, and Redis is used again soon after. */
  async function survive(what: string, open: OpenStore, harm: () => unknown, mend: () => unknown) {
    const asked = waits(open, 1600);
    await sleep(300);
    const harmed = async () => {
      try {
        await harm();
        return await asked;
      } finally {
        await mend();
      }
    };
    const waited = await harmed();
    const { times, stall } = waited;
    const back = await untilBack(open);
    const figure = [p99(times), Math.max(...times), back, stall].map((each) => each.toFixed(0));
    figures.push(
      `${what}: of ${times.length} requests p99 ${figure[0]} ms, max ${figure[1]} ms; back in ${figure[2]} ms; stalls up to ${figure[3]} ms`,
    );
    expect(times.length).toBeGreaterThan(50);
    expectShort(waited);
    expect(back).toBeLessThan(5000);
  }

  it('frozen, nobody waits', async () => {
    await using stores = new Stores();
    const open = await stores.connected(redis);
    await survive(
      'frozen',
      open,
      () => redis.freeze(),
      () => redis.thaw(),
    );
    await eventually('it is said', () => open.lines.length === 2);
    expect(open.lines.slice(0, 2)).toEqual([
      'Redis is unavailable: this replica continues without it',
      'Redis is back',
    ]);
  });

  it('killed and started again, nobody waits', async () => {
    await using stores = new Stores();
    const open = await stores.connected(redis);
    await survive(
      'killed',
      open,
      () => redis.kill(),
      () => redis.start(),
    );
    expect(open.lines.slice(0, 2)).toEqual([
      'Redis is unavailable: this replica continues without it',
      'Redis is back',
    ]);
  });

  it.each([
    ['asleep', ['DEBUG', 'SLEEP', '1']],
    ['paused', ['CLIENT', 'PAUSE', '1000', 'ALL']],
    ['paused for writes', ['CLIENT', 'PAUSE', '1000', 'WRITE']],
  ])('%s, nobody waits', async (what, command) => {
    await using stores = new Stores();
    await survive(
      what,
      await stores.connected(redis),
      () => void redis.command(...command),
      () => {},
    );
  });

  it.each([
    ['slower by 20 ms', { delayMs: 10, isBlackHole: false }],
    ['slower by 100 ms', { delayMs: 50, isBlackHole: false }],
    ['slower by 1 s', { delayMs: 500, isBlackHole: false }],
    ['behind a black hole', { delayMs: 0, isBlackHole: true }],
  ])('%s, nobody waits', async (what, harm) => {
    await using stores = new Stores();
    const faults = { delayMs: 0, isBlackHole: false };
    const way = await proxy(redis.port, faults);
    const open = await stores.connected(way);
    await survive(
      what,
      open,
      () => Object.assign(faults, harm),
      () => Object.assign(faults, { delayMs: 0, isBlackHole: false }),
    );
    await open.store.close();
    await way.close();
  });

  it('that is full, entries are read, nobody waits, and one line is logged', async () => {
    await using stores = new Stores();
    const open = await stores.connected(redis);
    await open.store.set(await entryFor(keyedQuery('a'), 7n));
    await survive(
      'full',
      open,
      async () => {
        await redis.command('CONFIG', 'SET', 'maxmemory', '1');
        await eventually(
          'the entry is read',
          async () => (await valueIn(open.store, keyedQuery('a'))) === 7n,
        );
      },
      () => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
    );
    expect(open.lines).toEqual(['Redis rejects commands: this replica continues without it']);
  });

  it('that permits little, nobody waits, and one line is logged', async () => {
    await using stores = new Stores();
    await redis.command(
      'ACL',
      'SETUSER',
      'reader',
      'on',
      '>x',
      '~*',
      '&*',
      '+@all',
      '-@write',
      '-@scripting',
    );
    const open = stores.open({ url: redis.url.replace('://', '://reader:x@') });
    expectShort(await waits(open, 500));
    expect(open.lines).toEqual(['Redis rejects commands: this replica continues without it']);
  });

  it('absent at the start, the start does not wait, and it is used when it comes', async () => {
    await using stores = new Stores();
    const late = await TestRedis.absent();
    let open: OpenStore | undefined;
    const opened = await timed(async () => {
      open = stores.open(late);
    });
    expect(opened).toBeLessThan(1000);
    if (open === undefined) throw new Error('it is open');
    expectShort(await waits(open, 1500));
    expect(open.lines.slice(0, 2)).toEqual(['Redis is unavailable: this replica continues without it']);
    await late.start();
    expect(await untilBack(open)).toBeLessThan(5000);
    expect(open.lines.slice(0, 2)).toEqual([
      'Redis is unavailable: this replica continues without it',
      'Redis is back',
    ]);
    await open.store.close();
    await late.remove();
  });

  it.each([
    ['HTTP', 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'],
    ['noise', Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256))],
    ['a string without end', '$99999999999\r\nxxxxxxxx'],
    ['a list without end', '*2147483647\r\n$1\r\n'],
    ['too many answers', '+PONG\r\n+OK\r\n$-1\r\n:1\r\n*0\r\n'],
    ['what looks like an entry', `+PONG\r\n$6\r\nEGE200\r\n`],
    ['errors', '-ERR no\r\n'],
    ['loading', '-LOADING Redis is loading the dataset in memory\r\n'],
  ])(
    'in whose place something says %s, nobody waits, and the real one is used when it comes',
    async (_what, text) => {
      await using stores = new Stores();
      const late = await TestRedis.absent();
      const wrong = await babbler(text, late.port);
      const open = stores.open(late);
      expectShort(await waits(open, 700));
      await wrong.close();
      await late.start();
      expect(await untilBack(open)).toBeLessThan(5000);
      await open.store.close();
      await late.remove();
    },
  );

  it('that wants another password, nobody waits, and it is used once it takes the one that is given', async () => {
    await using stores = new Stores();
    const locked = await TestRedis.start();
    await locked.setPassword('other');
    const open = stores.open({ url: `redis://:right@127.0.0.1:${locked.port}` });
    expectShort(await waits(open, 1500));
    expect(open.lines).toHaveLength(1);
    expect(open.store.isReachable).toBe(false);
    await locked.setPassword('right');
    expect(await untilBack(open)).toBeLessThan(5000);
    await open.store.close();
    await locked.remove();
  });

  it('frozen, what is asked meanwhile does not pile up', async () => {
    await using stores = new Stores();
    const open = await stores.connected(redis);
    redis.freeze();
    const took = await timed(() =>
      Promise.all(Array.from({ length: 5000 }, (_, index) => open.store.get(keyedQuery(`${index}`)))),
    );
    const again = await timed(async () => {
      for (let index = 0; index < 5000; index++) await open.store.get(keyedQuery(`${index}`));
    });
    expect(took).toBeLessThan(3000);
    expect(again).toBeLessThan(3000);
    redis.thaw();
    expect(await untilBack(open)).toBeLessThan(5000);
  });

  it('closed, nothing is left, whatever state Redis is in', async () => {
    const faults = { delayMs: 0, isBlackHole: false };
    const way = await proxy(redis.port, faults);
    await using stores = new Stores();
    const open = await stores.connected(way);
    await open.store.lease(keyedQuery('a').key);
    expect(way.connections()).toBe(3);
    await open.store.close();
    await eventually('no connection is left', () => way.connections() === 0);

    const second = await stores.connected(way);
    faults.isBlackHole = true;
    const asked = second.store.get(keyedQuery('a'));
    expect(await timed(() => second.store.close())).toBeLessThan(1500);
    expect(await asked).toBeUndefined();
    await eventually('no connection is left', () => way.connections() === 0);

    const connecting = stores.open(way);
    await sleep(50);
    expect(await timed(() => connecting.store.close())).toBeLessThan(1500);
    await eventually('no connection is left', () => way.connections() === 0);
    await way.close();
  });
});
