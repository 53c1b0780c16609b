import type { TableQuery } from '../calls/ad-hoc-query.ts';
import type { AuthorisedCall, PlannedCall } from '../calls/authorised-call.ts';
import { queryKey } from './cache/query-key.ts';
import type { Permit, Permits } from './permits.ts';
import { type Flight, SingleFlight, type Waiter } from './single-flight.ts';
import { type TimeLimits, withinTime } from './within-time.ts';

/** The result of planning a text: the plan, and its permit. */
interface Planned {
  readonly query: TableQuery;
  readonly permit: Permit;
}

interface TextSingleFlightOptions extends TimeLimits {
  readonly permits: Permits;
  readonly planningPermits: Permits;
}

/**
 * Plans ad-hoc queries, once for all concurrent callers of the same text, under the permit that they then run with. A
 * flight is open until its last waiter has its rows: later waiters need neither a permit nor another plan.
 */
export class TextSingleFlight {
  readonly #options: TextSingleFlightOptions;
  readonly #flights = new SingleFlight<Planned>(({ permit }) => permit[Symbol.dispose]());

  constructor(options: TextSingleFlightOptions) {
    this.#options = options;
  }

  /** @param use also gets the permit, unless the plan was cached. The first waiter that needs the permit takes it over */
  plan<T>(
    call: AuthorisedCall,
    waiter: Waiter,
    use: (planned: PlannedCall, permit?: Permit) => Promise<T>,
  ): Promise<T> {
    const known = call.known();
    if (known !== undefined) return use(known);
    const plan = async (flight: Flight): Promise<Planned> => {
      using planning = await this.#options.planningPermits.take(flight);
      using permit = await this.#options.permits.take(flight);
      const query = await call.plan(flight.signal);
      planning[Symbol.dispose]();
      flight.signal.throwIfAborted();
      return { query, permit: permit.handOver() as Permit };
    };
    return this.#flights.joinAndUse(
      queryKey(call, JSON.stringify(call.text)),
      waiter,
      (flight) => withinTime(this.#options, call.endpoint, flight, () => plan(flight)),
      ({ query, permit }) => use(call.with(query), permit),
    );
  }
}
