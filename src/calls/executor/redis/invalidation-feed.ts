import { z } from 'zod';
import type { RedisClient, RedisLink } from '../../../base/redis/redis-link.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import type { InvalidationFilter } from '../entries/entry-store.ts';

const filterSchema = z
  .object({
    endpointId: z.string().optional(),
    only: z.string().optional(),
    // Gateways up to 0.2 send the only version.
    not: z.union([z.array(z.string()), z.string().transform((version) => [version])]).optional(),
    parameters: z.array(z.tuple([z.int(), z.unknown()])).optional(),
  })
  .strict();

interface InvalidationFeedOptions {
  /** A connection used for nothing else, because reading blocks it. */
  readonly link: RedisLink;
  readonly clock: Clock;
  /** The name of the stream. */
  readonly name: string;
  /** Distinguishes this replica's messages from those of others. */
  readonly replica: string;
  /**
   * Called for every invalidation by another replica; with a filter that matches everything when some may have been missed.
   */
  readonly onInvalidate: (filter: InvalidationFilter) => void;
  /** Called when Redis has an earlier state than before, by a failover: entries that were invalidated may be back. */
  readonly onReverted: () => Promise<void>;
}

/** About how many invalidations the stream keeps. A replica that was disconnected for longer invalidates everything. */
const maxMessages = 1000;
/** How long one read blocks, in milliseconds, and the extra time for its reply. */
const blockMs = 1000;
const graceMs = 500;
/** Pause between two attempts to read, in milliseconds. */
const pauseMs = 100;
/** Time limit for reading the stream's position, in milliseconds. */
const positionTimeoutMs = 500;

/** Adds a message to the stream. From version 7 on, this works in a full Redis too: an invalidation frees space. */
const addToFullScript = `#!lua flags=allow-oom
return redis.call('XADD', KEYS[1], 'MAXLEN', '~', ${maxMessages}, '*', unpack(ARGV))
`;

/**
 * Publishes invalidations to all replicas by a Redis stream. A replica continues after the last message that it has
 * processed, also after a lost connection. If that message is gone from the stream, it may have missed others, and
 * invalidates everything. If older ones are there, Redis has lost what came after them: a replica of Redis that did not have it
 * yet has become the primary.
 */
export class InvalidationFeed {
  readonly #options: InvalidationFeedOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #seen: string | undefined;

  constructor(options: InvalidationFeedOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** The last message that this replica has processed; undefined before it has found the stream. */
  get seen(): string | undefined {
    return this.#seen;
  }

  /** Publishes an invalidation. */
  announce(client: RedisClient, filter: InvalidationFilter): Promise<string> {
    return this.#add(client, { drop: filterText(filter) });
  }

  /** Stops reading. Resolves when the reader has ended, for which the link has to be closed. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#findPosition();
        // A blocked read isn't notified when the stream is deleted.
        while (!signal.aborted) if (!(await this.#read())) await this.#findPosition();
      } catch {
        // Redis is unavailable, which its connection reports, or refuses the command, which may change.
        await this.#options.clock.sleep(pauseMs, signal).catch(() => {});
      }
    }
  }

  async #findPosition(): Promise<void> {
    const { link, name, onInvalidate, onReverted } = this.#options;
    const seen = this.#seen;
    let isReverted = false;
    const position = await link.run(positionTimeoutMs, async (client) => {
      // A value of another type was set by someone else, and would block the stream permanently.
      if (!['stream', 'none'].includes(await client.type(name))) await client.unlink(name);
      const isPresent = seen !== undefined && (await client.xRange(name, seen, seen)).length > 0;
      if (isPresent) return seen;
      const [oldest] = await client.xRange(name, '-', '+', { COUNT: 1 });
      isReverted = seen !== undefined && oldest !== undefined && isBefore(oldest.id, seen);
      const [newest] = await client.xRevRange(name, '+', '-', { COUNT: 1 });
      // Ensures a first message. Without one, the loss of the stream would not be noticed.
      return newest?.id ?? (await this.announce(client, {}));
    });
    if (position === seen) return;
    onInvalidate({});
    if (isReverted) await onReverted();
    this.#seen = position;
  }

  /** Processes the messages of one read, and returns whether there were any. */
  async #read(): Promise<boolean> {
    const { link, name, replica, onInvalidate } = this.#options;
    const id = this.#seen ?? '$';
    const streams = await link.run(blockMs + graceMs, (client) =>
      client.xRead({ key: name, id }, { BLOCK: blockMs, COUNT: 100 }),
    );
    const messages = streams?.[0]?.messages ?? [];
    for (const { id, message } of messages) {
      const isOther = message.by !== replica;
      if (isOther && message.drop !== undefined) onInvalidate(readFilter(message.drop));
      this.#seen = id;
    }
    return messages.length > 0;
  }

  async #add(client: RedisClient, content: Readonly<Record<string, string>>): Promise<string> {
    const { name, replica } = this.#options;
    const message = { by: replica, ...content };
    const TRIM = { strategy: 'MAXLEN', strategyModifier: '~', threshold: maxMessages } as const;
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

/** Whether a message is older than another one, by their ids: milliseconds and a number. */
function isBefore(id: string, other: string): boolean {
  const [[time, number], [otherTime, otherNumber]] = [parts(id), parts(other)];
  return time === otherTime ? number < otherNumber : time < otherTime;
}

function parts(id: string): readonly [number, number] {
  const [time = '', number = ''] = id.split('-');
  return [Number(time), Number(number)];
}

/** An invalidation as text, for other replicas. */
function filterText({ endpointId, version, parameters }: InvalidationFilter): string {
  return JSON.stringify({ endpointId, ...version, parameters: parameters && [...parameters] });
}

/** Parses an invalidation. An unreadable text matches every entry, because it may mean any. */
function readFilter(text: string | undefined): InvalidationFilter {
  const { data } = filterSchema.safeParse(parsedJson(text ?? ''));
  if (data === undefined) return {};
  const { endpointId, only, not, parameters } = data;
  const version = only !== undefined ? { only } : not !== undefined ? { not } : undefined;
  return {
    ...(endpointId !== undefined && { endpointId }),
    ...(version && { version }),
    ...(parameters && { parameters: new Map(parameters) }),
  };
}
