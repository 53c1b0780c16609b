import { type ErrorCode, GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import {
  type Allowance,
  allowanceName,
  maxAmount,
  type Quantity,
  quantities,
} from '../../access/caller/allowance.ts';
import type { Payer } from '../../access/caller/caller.ts';
import type { Spender } from '../../access/caller/spender.ts';
import { AllowanceSpent } from './allowance-spent.ts';
import { type Count, Ledger } from './ledger.ts';
import type { SharedSpending } from './shared-spending.ts';

/** Receives refusals, for metrics. */
export interface AllowanceMeter {
  /** A call was refused because an allowance of its key, of its token or of its endpoint is spent. */
  allowanceSpent(kind: Spender['kind'], of: Quantity): void;
}

interface AllowancesOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly meter: AllowanceMeter;
  /** Bytes a day for keys without such a limit of their own. Undefined means no limit. */
  readonly keyBytesPerDay?: number | undefined;
  /** Without it, only the calls of this process count. */
  readonly shared?: SharedSpending | undefined;
}

/** A waiter of a query: a caller, or the gateway itself. */
interface Waiter {
  readonly caller?: Payer;
}

type Budgeted = Pick<Endpoint, 'id' | 'name' | 'maxBytesPerDay'>;

/** What a run took. */
interface RunCost {
  readonly bytes: number;
  readonly engineMs: number;
}

/** What is left of allowances, as the values of two headers. */
export interface RateLimits {
  readonly policy: string;
  readonly left: string;
}

/** An allowance of a spender, with what was used of it. */
interface Use {
  readonly spender: Spender;
  readonly allowance: Allowance;
  readonly count: Count;
  /** Its name in headers, in quotes. */
  readonly name: string;
}

/** Quantities that every call uses, including calls that the cache answers. */
const ofCalls: readonly Quantity[] = ['calls', 'rows'];
/** Quantities that only runs on the engine use. */
const ofRuns: readonly Quantity[] = ['bytes', 'engine-seconds'];
/** Counts are whole numbers: microseconds of the engine's time. */
const units: Readonly<Record<Quantity, number>> = { calls: 1, rows: 1, bytes: 1, 'engine-seconds': 1e6 };

/** A call that the gateway itself refuses is not counted. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ALLOWANCE_EXHAUSTED',
  'COST_LIMIT_EXCEEDED',
  'RATE_LIMITED',
  'OVERLOADED',
  'BACKEND_UNAVAILABLE',
]);

/**
 * Limits what keys, tokens and endpoints use in periods of the calendar (UTC). A call, and a run on the engine, starts while some
 * of each allowance is left, whatever it will use, which is only known at its end.
 */
export class Allowances {
  readonly #options: AllowancesOptions;
  readonly #ledger: Ledger;
  /** What spenders have themselves: found once, since answers from the cache take little more time than that. */
  readonly #found = new WeakMap<readonly Spender[], readonly Use[]>();

  constructor(options: AllowancesOptions) {
    this.#options = options;
    this.#ledger = new Ledger(options.clock, options.shared);
  }

  /**
   * Does the work of a call, and counts it with its rows.
   *
   * @param rowsOf the number of rows of its answer
   * @throws AllowanceSpent instead of beginning, if there are no calls or rows left
   */
  async during<T>(
    { spenders }: Pick<Payer, 'spenders'>,
    work: () => Promise<T>,
    rowsOf: (result: T) => number,
  ): Promise<T> {
    const uses = this.#uses(spenders, ofCalls);
    await this.#ledger.know(uses.map(({ count }) => count));
    const calls = uses.flatMap(({ allowance, count }) => (allowance.of === 'calls' ? [count] : []));
    let isCounted = true;
    let isPending = false;
    try {
      const refusal = this.#refusalOf(uses);
      if (refusal !== undefined) throw refusal;
      isPending = true;
      for (const count of calls) count.pending += 1;
      const result = await work();
      this.countRows({ spenders }, rowsOf(result));
      return result;
    } catch (error) {
      isCounted = !(error instanceof GatewayError && refusals.has(error.code));
      if (error instanceof AllowanceSpent) this.#options.meter.allowanceSpent(error.kind, error.of);
      throw error;
    } finally {
      for (const count of calls) {
        if (isPending) count.pending -= 1;
        if (isCounted) this.#ledger.add(count, 1);
      }
    }
  }

  /** Counts rows of an answer. A negative number takes back those that it doesn't show. */
  countRows({ spenders }: Pick<Payer, 'spenders'>, rows: number): void {
    if (rows === 0) return;
    for (const { count } of this.#uses(spenders, ['rows'])) this.#ledger.add(count, rows);
  }

  /**
   * Counts rows that a caller gets from a run that someone else pays for.
   *
   * @throws AllowanceSpent if it may have none, as far as this process knows
   */
  shareRows({ spenders }: Pick<Payer, 'spenders'>, rows: number): void {
    const refusal = this.#refusalOf(this.#uses(spenders, ['rows']));
    if (refusal !== undefined) {
      this.#options.meter.allowanceSpent(refusal.kind, refusal.of);
      throw refusal;
    }
    this.countRows({ spenders }, rows);
  }

  /**
   * Counts an answer that is sent again, with the calls and rows in it.
   *
   * @returns false, and counts nothing, if not all of its calls may be answered, or this process doesn't know
   */
  takeAnswered(spenders: readonly Spender[], calls: number, rows: number): boolean {
    const uses = this.#own(spenders);
    for (const { allowance, count } of uses) {
      const { of, amount, slows } = allowance;
      if (!ofCalls.includes(of)) continue;
      if (!count.isKnown || (!slows && count.used + (of === 'calls' ? calls : 1) > amount)) return false;
    }
    this.#add(uses, calls, rows);
    return true;
  }

  /** Takes back what was counted for an answer that could not be sent. */
  giveBack(spenders: readonly Spender[], calls: number, rows: number): void {
    this.#add(this.#own(spenders), -calls, -rows);
  }

  /**
   * Whether a call that is being answered is beyond an allowance that makes calls slow instead of refusing them. They go on in the
   * background: behind those of others.
   */
  isSlowed({ spenders }: Pick<Payer, 'spenders'>): boolean {
    if (!spenders.some(({ allowances }) => allowances.some(({ slows }) => slows))) return false;
    // The call itself is counted already.
    const isBeyond = (use: Use) =>
      use.allowance.of === 'calls' ? use.count.used > use.allowance.amount : isSpent(use);
    return this.#uses(spenders, quantities).some((use) => use.allowance.slows && isBeyond(use));
  }

  /**
   * Returns the first waiter that may run the query, whose allowances the run is charged to. Waiters that join while other
   * replicas are asked count as well.
   *
   * @returns undefined if all waiters have left
   * @throws AllowanceSpent if there are waiters, and none may run the query
   */
  async admit<Waiting extends Waiter>(
    endpoint: Budgeted,
    waiting: Iterable<Waiting>,
  ): Promise<Waiting | undefined> {
    const uses = [...waiting].flatMap(({ caller }) => this.#usesOfRun(endpoint, caller));
    if (uses.length > 0) await this.#ledger.exchange([...new Set(uses.map(({ count }) => count))]);
    let refused: AllowanceSpent | undefined;
    for (const payer of waiting) {
      const refusal = this.refusal(endpoint, payer.caller);
      if (refusal === undefined) return payer;
      refused ??= refusal;
    }
    if (refused !== undefined) throw refused;
    return undefined;
  }

  /** The error if this caller may not run the query, as far as this process knows. */
  refusal(endpoint: Budgeted, caller?: Payer): AllowanceSpent | undefined {
    return this.#refusalOf(this.#usesOfRun(endpoint, caller));
  }

  /** Counts what a run took. The bytes of a day count even without a limit, because one may be set later in the day. */
  charge(endpoint: Budgeted, caller: Payer | undefined, { bytes, engineMs }: RunCost): void {
    const spenders = [spenderOf(endpoint), ...(caller?.spenders ?? [])];
    if (bytes > 0) {
      const counts = new Set(this.#uses(spenders, ['bytes']).map(({ count }) => count));
      for (const { account } of spenders) counts.add(this.#ledger.of('bytes', 'day', account));
      for (const count of counts) this.#ledger.add(count, bytes);
    }
    const microseconds = Math.round(engineMs * 1000);
    for (const { count } of this.#uses(spenders, ['engine-seconds'])) this.#ledger.add(count, microseconds);
    // The next run of another replica has to know.
    void this.#ledger.publish();
  }

  /**
   * What is left of the allowances that keys and tokens have themselves.
   * Source: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (draft 10)
   */
  rateLimits(spenders: readonly Spender[]): RateLimits {
    const now = this.#options.clock.now();
    let [policy, left] = ['', ''];
    for (const { allowance, count, name } of this.#own(spenders)) {
      const { of, amount } = allowance;
      const { start, end } = count.period;
      const separator = policy === '' ? '' : ', ';
      const unit = of === 'calls' ? '' : `;qu="${of}"`;
      policy += `${separator}${name};q=${Math.min(amount, maxAmount)};w=${(end - start) / 1000}${unit}`;
      const rest = Math.min(maxAmount, Math.max(0, Math.floor(amount - count.used / units[of])));
      left += `${separator}${name};r=${rest};t=${Math.max(1, Math.ceil((end - now) / 1000))}`;
    }
    return { policy, left };
  }

  /** Publishes what has been counted. */
  close(): Promise<void> {
    return this.#ledger.publish();
  }

  #add(uses: readonly Use[], calls: number, rows: number): void {
    for (const { allowance, count } of uses) {
      if (allowance.of === 'calls') this.#ledger.add(count, calls);
      if (allowance.of === 'rows') this.#ledger.add(count, rows);
    }
  }

  #usesOfRun(endpoint: Budgeted, caller: Payer | undefined): readonly Use[] {
    return this.#uses([spenderOf(endpoint), ...(caller?.spenders ?? [])], ofRuns);
  }

  /** All allowances that the spenders have themselves. */
  #own(spenders: readonly Spender[]): readonly Use[] {
    const found = this.#found.get(spenders);
    if (found?.every(({ count }) => this.#ledger.isPresent(count))) return found;
    const uses = this.#uses(spenders, quantities).filter((use) =>
      use.spender.allowances.includes(use.allowance),
    );
    this.#found.set(spenders, uses);
    return uses;
  }

  #uses(spenders: readonly Spender[], wanted: readonly Quantity[]): readonly Use[] {
    const uses: Use[] = [];
    for (const spender of spenders) {
      for (const allowance of this.#allowancesOf(spender, wanted)) {
        const { of, per } = allowance;
        if (!wanted.includes(of)) continue;
        const name = `"${spender.kind === 'token' ? 'token-' : ''}${allowanceName(allowance)}"`;
        uses.push({ spender, allowance, count: this.#ledger.of(of, per, spender.account), name });
      }
    }
    return uses;
  }

  /** The allowances of a spender, with the deployment's one of bytes. */
  #allowancesOf({ kind, allowances }: Spender, wanted: readonly Quantity[]): readonly Allowance[] {
    const { keyBytesPerDay: amount } = this.#options;
    if (amount === undefined || kind === 'endpoint' || !wanted.includes('bytes')) return allowances;
    const hasOwn = allowances.some(({ of, per }) => of === 'bytes' && per === 'day');
    return hasOwn ? allowances : [...allowances, { of: 'bytes', amount, per: 'day' }];
  }

  #refusalOf(uses: readonly Use[]): AllowanceSpent | undefined {
    const use = uses.find((each) => !each.allowance.slows && isSpent(each));
    if (use === undefined) return undefined;
    const { spender, allowance, count } = use;
    const used = count.used / units[allowance.of];
    return new AllowanceSpent(spender, allowance, used, count.period, this.#options.clock.now());
  }
}

function isSpent({ allowance: { of, amount }, count }: Use): boolean {
  return count.used >= amount * units[of];
}

function spenderOf({ id, name, maxBytesPerDay: amount }: Budgeted): Spender {
  return {
    kind: 'endpoint',
    account: `endpoint ${id}`,
    called: `The endpoint ${JSON.stringify(name)}`,
    allowances: amount === undefined ? [] : [{ of: 'bytes', amount, per: 'day' }],
  };
}
