import type { Clock } from '../../../clock.ts';
import type { RedisClient, RedisLink } from '../../../redis/redis-link.ts';
import type { InvalidationFilter } from '../entry-store.ts';
import { dropText, readDrop } from './invalidation-message.ts';

interface DropFeedOptions {
  /** A connection for this alone: reading waits on it. */
  readonly link: RedisLink;
  readonly clock: Clock;
  /** What the stream is called. */
  readonly name: string;
  /** Tells this replica's messages from those of others. */
  readonly replica: string;
  /** Told of every drop of another replica; the filter that means everything, when some may have been missed. */
  readonly onInvalidate: (filter: InvalidationFilter) => void;
}

/** Drops that the stream remembers, about. A replica that was cut off for longer forgets everything. */
const remembered = 1000;
/** How long one reading waits for a message, in milliseconds, and how much later its answer may come. */
const blockMs = 1000;
const graceMs = 500;
/** Between two attempts to read, in milliseconds. */
const pauseMs = 100;
/** What looking up where the stream stands may take, in milliseconds. */
const lookMs = 500;

/** Adds a message to the stream where Redis is full, too, from its version 7 on: a drop makes room. */
const addToFullScript = `#!lua flags=allow-oom
return redis.call('XADD', KEYS[1], 'MAXLEN', '~', ${remembered}, '*', unpack(ARGV))
`;

/**
 * Drops, told to all replicas by a Redis stream. Each reads on from the last message that it has acted on, also after its
 * connection was lost; where that message isn't there any more, it can't know what it has missed, and forgets everything.
 */
export class DropFeed {
  readonly #options: DropFeedOptions;
  readonly #closing = new AbortController();
  readonly #life: Promise<void>;
  #seen: string | undefined;

  constructor(options: DropFeedOptions) {
    this.#options = options;
    this.#life = this.#live();
  }

  /** The last message that this replica has acted on; undefined before it has found the stream. */
  get seen(): string | undefined {
    return this.#seen;
  }

  /** Tells the other replicas. */
  announce(client: RedisClient, filter: InvalidationFilter): Promise<string> {
    return this.#add(client, { drop: dropText(filter) });
  }

  /** Ends with the link's end. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#life;
  }

  async #live(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#findPlace();
        // Who waits for a message isn't told that the stream has gone.
        while (!signal.aborted) if (!(await this.#read())) await this.#findPlace();
      } catch {
        // Redis is away, which its connection says, or refuses: then it may change its mind.
        await this.#options.clock.sleep(pauseMs, signal).catch(() => {});
      }
    }
  }

  async #findPlace(): Promise<void> {
    const { link, name, onInvalidate } = this.#options;
    const seen = this.#seen;
    const place = await link.run(lookMs, async (client) => {
      // What isn't a stream was put there by somebody else, and would be in the way for ever.
      if (!['stream', 'none'].includes(await client.type(name))) await client.unlink(name);
      const isThere = seen !== undefined && (await client.xRange(name, seen, seen)).length > 0;
      if (isThere) return seen;
      const [newest] = await client.xRevRange(name, '+', '-', { COUNT: 1 });
      // There has to be one, for its loss to be noticed; others may wait for the first one, and have noticed nothing.
      return newest?.id ?? (await this.announce(client, {}));
    });
    if (place === seen) return;
    onInvalidate({});
    this.#seen = place;
  }

  /** Acts on what comes within a while, and gives whether anything did. */
  async #read(): Promise<boolean> {
    const { link, name, replica, onInvalidate } = this.#options;
    const id = this.#seen ?? '$';
    const streams = await link.run(blockMs + graceMs, (client) =>
      client.xRead({ key: name, id }, { BLOCK: blockMs, COUNT: 100 }),
    );
    const messages = streams?.[0]?.messages ?? [];
    for (const { id, message } of messages) {
      const isOther = message.by !== replica;
      if (isOther && message.drop !== undefined) onInvalidate(readDrop(message.drop));
      this.#seen = id;
    }
    return messages.length > 0;
  }

  async #add(client: RedisClient, content: Readonly<Record<string, string>>): Promise<string> {
    const { name, replica } = this.#options;
    const message = { by: replica, ...content };
    const TRIM = { strategy: 'MAXLEN', strategyModifier: '~', threshold: remembered } as const;
    try {
      return await client.xAdd(name, '*', message, { TRIM });
    } catch (error) {
      const isFull = error instanceof Error && error.message.startsWith('OOM ');
      if (!isFull) throw error;
      return String(
        await client.eval(addToFullScript, { keys: [name], arguments: Object.entries(message).flat() }),
      );
    }
  }
}
