import { hash } from 'node:crypto';
import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import type { RegexpMistake } from '../../sql/lql/compile/query-scope.ts';
import type { AdHocQueries, TableQuery } from '../call/ad-hoc-query.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import { queryKey } from '../executor/entries/query-key.ts';
import type { TailBegin } from './first-events.ts';
import { LiveQueries } from './live-queries.ts';
import type { LiveParts } from './live-results.ts';
import { LiveTail } from './live-tail.ts';
import { queryHashLength } from './tail-cursor.ts';
import type { TailEvent } from './tail-event.ts';
import { tailQuery } from './tail-query.ts';
import type { Watching } from './watchers.ts';

export interface LiveTailsParts extends LiveParts {
  readonly adHocQueries: Pick<AdHocQueries, 'plan' | 'known'>;
  readonly regexpMistake?: RegexpMistake | undefined;
  /** A text that no other tail has, of at most 12 letters in lower case and digits. */
  readonly makeId: () => string;
}

/** The tails of tables: rows as they arrive. */
export class LiveTails {
  readonly #parts: LiveTailsParts;
  readonly #queries: LiveQueries<LiveTail>;

  constructor(parts: LiveTailsParts) {
    this.#parts = parts;
    this.#queries = new LiveQueries('tail', parts);
  }

  /**
   * The newest rows of a table, then all that arrive, each once, until the watcher's signal is aborted. Rows that arrive
   * together come in the order of their time, and later ones after them, whatever their time. Rows that are more than a
   * minute older than the newest one are omitted. A reader that is too slow loses rows, and gets an event that says so.
   *
   * @throws GatewayError BAD_USER_INPUT if the table has no tail or the filters are invalid, and as planning does; the
   *   signal's reason
   */
  async watch(
    call: AuthorisedCall,
    begin: TailBegin,
    watching: Watching,
  ): Promise<AsyncGenerator<TailEvent, never>> {
    const { adHocQueries, regexpMistake, permit } = this.#parts;
    if (call.tail === undefined) throw new TypeError('the call is no tail');
    const { table, lql = '' } = call.tail;
    const { signal } = watching;
    const query = tailQuery(call.endpoint, table, lql, regexpMistake);
    const plan = async (text: string): Promise<TableQuery> => {
      const asked = { language: 'sql', text } as const;
      const known = adHocQueries.known(query.endpoint, asked);
      if (known !== undefined) return known;
      using _permit = await permit(call, signal);
      return await adHocQueries.plan(query.endpoint, asked, call.payer.account, signal);
    };
    // A watcher that leaves doesn't wait for the end of the planning, but the permit stays taken until then.
    const planned = (text: string) => raceWithAbort(() => plan(text), signal);
    const [oldestFirst, newestFirst] = [await planned(query.oldestFirst), await planned(query.newestFirst)];
    const asked = JSON.stringify([table.name, lql]);
    const key = queryKey(call, asked);
    const queries = { ...query, oldestFirst, newestFirst };
    // Without the version: clients go on after their endpoint has changed.
    const anyVersion = { endpoint: { ...call.endpoint, version: '' }, parameters: call.parameters };
    const queryHash = hash('sha256', queryKey(anyVersion, asked)).slice(0, queryHashLength);
    const make = () => new LiveTail({ ...this.#parts, call, queries, queryHash });
    const watcher = { ...watching, call };
    return this.#queries.join(key, watcher, make).events(begin, watcher);
  }

  /** Ends the streams of endpoints that are not served any more. */
  retain(): void {
    this.#queries.retain();
  }
}
