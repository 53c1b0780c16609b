import { eventually } from '../../../acceptance/support/processes.ts';
import { proxy } from '../../../support/faulty-server.ts';
import { freePort, TestRedis } from '../../../support/redis.ts';
import { TestSentinel } from '../../../support/redis-sentinel.ts';

/** Servers of which one is the primary. */
export interface RedisGroup extends AsyncDisposable {
  /** As in `REDIS_URL`. */
  readonly url: string;
  readonly servers: readonly TestRedis[];
}

async function removed(parts: readonly { remove(): Promise<void> }[]): Promise<void> {
  await Promise.all(parts.map((part) => part.remove()));
}

/** A server, and another one that has all that it has. */
async function pair(): Promise<[TestRedis, TestRedis]> {
  const servers: [TestRedis, TestRedis] = [await TestRedis.start(), await TestRedis.start()];
  const [primary, replica] = servers;
  await replica.replicate(primary);
  await eventually('the replica follows', async () =>
    String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
  );
  return servers;
}

/** A primary and a replica behind one name, as managed services have them. */
export async function named(): Promise<RedisGroup & { moveTo(server: TestRedis): void }> {
  const servers = await pair();
  let [target] = servers;
  const name = await proxy(() => target.port, { delayMs: 0, isBlackHole: false });
  return {
    ...{ url: name.url, servers },
    moveTo: (server) => {
      target = server;
    },
    [Symbol.asyncDispose]: async () => {
      await name.close();
      await removed(servers);
    },
  };
}

/** A primary and a replica that three sentinels watch. */
export async function watched(): Promise<RedisGroup & { readonly sentinels: readonly TestSentinel[] }> {
  const servers = await pair();
  const sentinels = await Promise.all([1, 2, 3].map(() => TestSentinel.of(servers[0])));
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    ...{ url: `redis+sentinel://${hosts}/main`, servers, sentinels },
    [Symbol.asyncDispose]: () => removed([...sentinels, ...servers]),
  };
}

/** Three primaries with a third of the slots each, and a replica of the one that has the names of a namespace. */
export async function clustered(namespace: string): Promise<RedisGroup> {
  const servers = await Promise.all(
    [0, 1, 2, 3].map(async () => {
      const server = await TestRedis.absent();
      const bus = String(await freePort());
      const settings = ['--cluster-enabled', 'yes', '--cluster-port', bus, '--cluster-node-timeout', '1000'];
      await server.start(...settings);
      return { server, bus };
    }),
  );
  const [first] = servers;
  if (first === undefined) throw new Error('there is no server');
  const ranges = [
    [0, 5460],
    [5461, 10922],
    [10923, 16383],
  ];
  for (const [at, [from, to]] of ranges.entries())
    await servers[at]?.server.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
  for (const { server, bus } of servers)
    await first.server.command('CLUSTER', 'MEET', '127.0.0.1', String(server.port), bus);
  const hasAll = async (server: TestRedis) =>
    String(await server.command('CLUSTER', 'INFO')).match(/cluster_(state:ok|known_nodes:4)/g)?.length === 2;
  await eventually('the cluster stands', async () =>
    (await Promise.all(servers.map(({ server }) => hasAll(server)))).every(Boolean),
  );
  const slot = Number(await first.server.command('CLUSTER', 'KEYSLOT', `{${namespace}}`));
  const at = ranges.findIndex(([from = 0, to = 0]) => from <= slot && slot <= to);
  const [primary, replica] = [servers[at]?.server, servers[3]?.server];
  if (primary === undefined || replica === undefined) throw new Error('no server has the slot');
  await replica.command('CLUSTER', 'REPLICATE', String(await primary.command('CLUSTER', 'MYID')));
  await eventually('the replica follows', async () =>
    String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
  );
  const others = servers.map(({ server }) => server).filter((server) => ![primary, replica].includes(server));
  // The URL names two that don't have the slot.
  const hosts = others.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    ...{ url: `redis+cluster://${hosts}`, servers: [primary, replica, ...others] },
    [Symbol.asyncDispose]: () => removed(servers.map(({ server }) => server)),
  };
}
