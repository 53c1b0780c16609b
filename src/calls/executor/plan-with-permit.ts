import type { Clock } from '../../base/system/clock.ts';
import type { TableQuery } from '../call/ad-hoc-query.ts';
import type { AuthorisedCall, PlannedCall } from '../call/authorised-call.ts';
import { type TimeLimits, withinTime } from './engine-runs.ts';
import { queryKey } from './entries/query-key.ts';
import type { Permit, Permits, Seekers } from './flights/permits.ts';
import { SingleFlight, type Waiter } from './flights/single-flight.ts';

/** The permits that planning takes. */
export interface PlanningPermits {
  /** Permits for planning, taken first: plans share processors, and more at a time would only delay queries. */
  readonly planningPermits: Permits;
  /** Permits for planning and running, taken next: a query that can't run yet isn't planned. */
  readonly permits: Permits;
  readonly clock: Clock;
}

/**
 * A plan that takes more milliseconds gives its planning permit to the next one. Nearly all take a tenth of it, and would wait for
 * seconds behind a few that a caller has made hard to plan.
 */
const longPlanMs = 300;

/**
 * Plans a query under the permit that it then runs with. The permit stays taken until planning has ended, also if the signal
 * is aborted before.
 *
 * @throws GatewayError OVERLOADED; the signal's reason; what `plan` throws
 */
export async function planWithPermit<T>(
  seekers: Seekers,
  { planningPermits, permits, clock }: PlanningPermits,
  plan: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly plan: T; readonly permit: Permit }> {
  using planning = await planningPermits.take(seekers);
  using permit = await permits.take(seekers);
  const long = clock.after(longPlanMs, () => planning[Symbol.dispose]());
  const made = await plan(seekers.signal).finally(() => long.cancel());
  planning[Symbol.dispose]();
  seekers.signal.throwIfAborted();
  return { plan: made, permit: permit.handOver() as Permit };
}

/**
 * The call with its plan, and the permit with which it runs: that of {@link planWithPermit}, or its own if the plan is known.
 *
 * @param isForeground whether it waits with other callers, rather than behind them
 */
export async function plannedWithPermit(
  call: AuthorisedCall,
  signal: AbortSignal,
  options: PlanningPermits,
  isForeground = true,
): Promise<{ readonly plan: PlannedCall; readonly permit: Permit }> {
  const known = call.known();
  const seeker = { waiters: [{ isForeground, caller: call.payer }], signal };
  if (known !== undefined) return { plan: known, permit: await options.permits.take(seeker) };
  return planWithPermit(seeker, options, (until) => call.planned(until));
}

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
