import { z } from 'zod';
import type { Clock } from '../system/clock.ts';
import { endClient, openClient, type RedisClient } from './open-client.ts';
import { type RedisAddress, type RedisNode, type RedisPlace, readRedisUrl } from './redis-address.ts';

type Several = Exclude<RedisAddress, { readonly kind: 'server' }>;

/** `SENTINEL MASTER`: names and values in turn. */
const sentinelAnswer = z.array(z.string());
/** `CLUSTER SLOTS`: ranges of slots, each with its primary first. A host that the server doesn't know is empty. */
const slotRanges = z.array(
  z.tuple([z.number(), z.number()], z.tuple([z.string().nullable(), z.number()], z.unknown())),
);
/** The form of Redis's errors: https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
export const errorOfRedis = /^[A-Z]+ /;

/**
 * Answers of a server that takes no commands now, or not these: another one is the primary, or will be. Before version 7, they
 * are within the message of a script's error.
 */
const elsewhere =
  /(?:^|[: ]-)(?:READONLY|MASTERDOWN|LOADING|CLUSTERDOWN|MOVED|ASK|TRYAGAIN|UNBLOCKED|NOREPLICAS) /;

/** Whether a command is refused because of the server's state, so that another connection may be better. */
export function isRefusedHere(error: unknown): boolean {
  return error instanceof Error && elsewhere.test(error.message);
}

/**
 * Refuses a replica: it would not take changes.
 *
 * @throws Error
 */
export async function requirePrimary(client: RedisClient): Promise<void> {
  const answer: unknown = await client.sendCommand(['ROLE']).catch((error: unknown) => {
    // A proxy may not know the command, and a user may not be allowed to use it.
    if (error instanceof Error && errorOfRedis.test(error.message)) return [];
    throw error;
  });
  const [role] = Array.isArray(answer) ? answer : [];
  if (role === 'slave') throw new Error('the server is a replica, which takes no changes');
  if (role === 'sentinel') throw new Error('the server is a sentinel: see REDIS_URL in the settings');
}

/** Finds the server that takes commands. */
export class PrimaryFinder {
  readonly #address: RedisAddress;
  readonly #namespace: string;
  readonly #clock: Clock;
  /** Servers of a cluster that the URL need not name. */
  #learned: readonly RedisNode[] = [];

  constructor({ url, namespace }: RedisPlace, clock: Clock) {
    const address = readRedisUrl(url);
    if (address === undefined) throw new TypeError('the URL of Redis is invalid');
    this.#address = address;
    this.#namespace = namespace;
    this.#clock = clock;
  }

  /** Whether the server can be another one later. */
  get canMove(): boolean {
    return this.#address.kind !== 'server';
  }

  /**
   * The URL of the server.
   *
   * @throws Error if no sentinel or server of the cluster reports it
   */
  async find(): Promise<string> {
    const address = this.#address;
    switch (address.kind) {
      case 'server':
        return address.url;
      case 'sentinel':
        return address.urlOf(await this.#bySentinels(address));
      case 'cluster':
        return address.urlOf(await this.#bySlot(address));
    }
  }

  /** Of what sentinels say, the latest is right: one that was cut off may not know of a failover. */
  async #bySentinels({ nodes, urlOfSentinel, group }: Several & { kind: 'sentinel' }): Promise<RedisNode> {
    const answers = await Promise.allSettled(
      nodes.map((node) =>
        this.#ask(urlOfSentinel(node), async (client) => {
          const words = sentinelAnswer.parse(await client.sendCommand(['SENTINEL', 'MASTER', group]));
          const wordAfter = (name: string) => words[words.indexOf(name) + 1] ?? '';
          return {
            node: nodeAt(wordAfter('ip'), wordAfter('port')),
            epoch: Number(wordAfter('config-epoch')),
          };
        }),
      ),
    );
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const [latest] = found.sort((a, b) => b.epoch - a.epoch);
    if (latest !== undefined) return latest.node;
    const [failed] = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [messageOf(answer.reason)] : [],
    );
    throw new Error(`no sentinel reports the primary of ${JSON.stringify(group)}: ${failed}`);
  }

  async #bySlot({ nodes, urlOf }: Several): Promise<RedisNode> {
    const askAny = (each: readonly RedisNode[]) =>
      Promise.any(each.map((node) => this.#ask(urlOf(node), (client) => this.#primaryOfSlot(client, node))));
    try {
      return await askAny(nodes).catch((error) => {
        if (this.#learned.length === 0) throw error;
        return askAny(this.#learned);
      });
    } catch (error) {
      const [failed] = error instanceof AggregateError ? error.errors : [error];
      throw new Error(`no server of the cluster reports the others: ${messageOf(failed)}`);
    }
  }

  /** All names are in one slot. */
  async #primaryOfSlot(client: RedisClient, asked: RedisNode): Promise<RedisNode> {
    const slot = z.number().parse(await client.sendCommand(['CLUSTER', 'KEYSLOT', this.#namespace]));
    const ranges = slotRanges.parse(await client.sendCommand(['CLUSTER', 'SLOTS']));
    const servers = ranges.flatMap(([from, to, ...each]) =>
      each.map(([host, port]) => ({ from, to, node: nodeAt(host || asked.host, port) })),
    );
    this.#learned = servers.map(({ node }) => node);
    const primary = servers.find(({ from, to }) => from <= slot && slot <= to);
    if (primary === undefined) throw new Error(`no server has slot ${slot}`);
    return primary.node;
  }

  async #ask<T>(url: string, question: (client: RedisClient) => Promise<T>): Promise<T> {
    const answer = Promise.withResolvers<T>();
    const client = await openClient(url, {
      clock: this.#clock,
      prepare: async (each) => answer.resolve(await question(each)),
    });
    endClient(client);
    return await answer.promise;
  }
}

function nodeAt(host: string, port: string | number): RedisNode {
  const isBare = host.includes(':') && !host.startsWith('[');
  return { host: isBare ? `[${host}]` : host, port: Number(port) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
