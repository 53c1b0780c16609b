import { queryKey } from './cache/query-key.ts';
import type { ExecutorCall, OtherQuery } from './executor.ts';
import type { Permit, Permits } from './permits.ts';
import { type Flight, SingleFlight, type Waiter } from './single-flight.ts';
import { type TimeLimits, withinTime } from './within-time.ts';

/** What a flight of a text brings: the plan, and the permit under which it was made. */
interface Planned {
  readonly query: OtherQuery;
  readonly permit: Permit;
}

interface TextSingleFlightOptions extends TimeLimits {
  readonly permits: Permits;
}

/**
 * Plans queries that come as texts, once for all who ask the same at the same time, with the permit under which they run then. A flight
 * is open until its last waiter has its rows: later waiters need no permit and no other plan.
 */
export class TextSingleFlight {
  readonly #options: TextSingleFlightOptions;
  readonly #flights = new SingleFlight<Planned>(({ permit }) => permit[Symbol.dispose]());

  constructor(options: TextSingleFlightOptions) {
    this.#options = options;
  }

  /**
   * Has a call's text planned, and uses the plan.
   *
   * @param use is given the permit, too, unless the plan was at hand. The first who needs it may take it over
   */
  plan<T>(
    call: ExecutorCall & Required<Pick<ExecutorCall, 'text'>>,
    waiter: Waiter,
    use: (query: OtherQuery, permit?: Permit) => Promise<T>,
  ): Promise<T> {
    const { text, endpoint } = call;
    const allowed = (query: OtherQuery, permit?: Permit) => {
      text.authorise(query);
      return use(query, permit);
    };
    const known = text.known();
    if (known !== undefined) return allowed(known);
    const plan = async (flight: Flight): Promise<Planned> => {
      using permit = await this.#options.permits.take(flight.isForeground, flight.signal);
      const query = await text.plan(flight.signal);
      flight.signal.throwIfAborted();
      return { query, permit: permit.handOver() as Permit };
    };
    return this.#flights.joinAndUse(
      queryKey(call, JSON.stringify(text.canonical)),
      waiter,
      (flight) => withinTime(this.#options, endpoint, flight, () => plan(flight)),
      ({ query, permit }) => allowed(query, permit),
    );
  }
}
