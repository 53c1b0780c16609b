import type { TableQuery } from '../call/ad-hoc-query.ts';
import type { AuthorisedCall, PlannedCall } from '../call/authorised-call.ts';
import { queryKey } from './entries/query-key.ts';
import type { Permit } from './flights/permits.ts';
import { SingleFlight, type Waiter } from './flights/single-flight.ts';
import { type PlanningPermits, planWithPermit } from './plan-with-permit.ts';
import { type TimeLimits, withinTime } from './within-time.ts';

/** The result of planning a text: the plan, and its permit. */
interface Planned {
  readonly plan: TableQuery;
  readonly permit: Permit;
}

type TextSingleFlightOptions = TimeLimits & PlanningPermits;

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
    return this.#flights.joinAndUse(
      queryKey(call, JSON.stringify(call.text)),
      waiter,
      (flight) =>
        withinTime(this.#options, call.endpoint, flight, () =>
          planWithPermit(flight, this.#options, (signal) => call.plan(signal)),
        ),
      ({ plan, permit }) => use(call.with(plan), permit),
    );
  }
}
