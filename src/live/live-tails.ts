import type { Endpoint, EndpointTable } from '../endpoints/endpoint.ts';
import { queryKey } from '../executor/cache/query-key.ts';
import type { ExecutorCall, OtherQuery } from '../executor/executor.ts';
import type { RegexpMistake } from '../lql/compile/query-scope.ts';
import type { AdHocQueries } from '../sandbox/ad-hoc-query.ts';
import { LiveQuestions } from './live-questions.ts';
import type { LiveParts } from './live-results.ts';
import { LiveTail } from './live-tail.ts';
import type { TailEvent } from './tail-event.ts';
import { tailQuery } from './tail-query.ts';
import type { Watcher } from './watchers.ts';

/** A tail that is asked for. */
export interface TailCall extends Pick<ExecutorCall, 'endpoint' | 'parameters'> {
  readonly table: EndpointTable;
  /** Filters in LQL. */
  readonly lql?: string | undefined;
  /** How many of the rows that are there come first. */
  readonly rows: number;
  /** The id of the last event that the client has, if it has lost its connection. Other texts are ignored. */
  readonly after?: string | undefined;
}

export interface LiveTailsParts extends LiveParts {
  readonly adHocQueries: Pick<AdHocQueries, 'plan' | 'known'>;
  readonly regexpMistake?: RegexpMistake | undefined;
  /** A short text that no other tail has, of letters in lower case and digits. */
  readonly makeId: () => string;
}

/** The tails of tables: rows as they arrive. */
export class LiveTails {
  readonly #parts: LiveTailsParts;
  readonly #questions: LiveQuestions<LiveTail>;

  constructor(parts: LiveTailsParts) {
    this.#parts = parts;
    this.#questions = new LiveQuestions('tail', parts);
  }

  /**
   * The newest rows of a table, then all that arrive, each once, until the watcher's signal is aborted. Rows that arrive
   * together come in the order of their time, and later ones after them, whatever their time. Rows that are more than a
   * minute older than the newest one are omitted. A reader that is too slow loses rows, and gets an event that says so.
   *
   * @throws GatewayError BAD_USER_INPUT if the table has no tail or the filters are invalid, and as planning does; the
   *   signal's reason
   */
  async watch(call: TailCall, watcher: Watcher): Promise<AsyncGenerator<TailEvent, never>> {
    const { adHocQueries, regexpMistake, permit } = this.#parts;
    const { endpoint, parameters, table, lql = '', rows, after } = call;
    const query = tailQuery(endpoint, table, lql, regexpMistake);
    const plan = async (text: string): Promise<OtherQuery> => {
      const asked = { language: 'sql', text } as const;
      const known = adHocQueries.known(query.endpoint, asked);
      if (known !== undefined) return known;
      using _permit = await permit(watcher.caller, watcher.signal);
      return await adHocQueries.plan(query.endpoint, asked, watcher.signal);
    };
    const [oldestFirst, newestFirst] = [await plan(query.oldestFirst), await plan(query.newestFirst)];
    const key = queryKey({ endpoint, parameters }, JSON.stringify([table.name, lql]));
    const make = () => {
      const queries = { ...query, oldestFirst, newestFirst };
      return new LiveTail({ ...this.#parts, endpoint, parameters, queries });
    };
    return this.#questions.join(key, watcher, make).events({ rows, after }, watcher);
  }

  /** Ends the streams of endpoints that are not served any more. */
  retain(isServed: (endpoint: Endpoint) => boolean): void {
    this.#questions.retain(isServed);
  }
}
