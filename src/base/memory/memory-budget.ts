import { GatewayError } from '../errors/errors.ts';
import type { Account } from '../fairness/account.ts';
import { megabytes } from '../forms/bytes.ts';

/** Memory that is kept for an account. Disposing of it releases the memory. */
export interface Holding extends Disposable {
  readonly bytes: number;
  /**
   * Reserves more memory.
   *
   * @throws GatewayError RATE_LIMITED if the key would hold more than its maximum; OVERLOADED if all keys together would, and
   *   this key holds most; the reason with which the holding was ended. Nothing is reserved then
   */
  add(bytes: number): void;
  /** Reserves so much in all. Throws as `add` does when that is more. */
  resize(bytes: number): void;
  /** Sets the bytes without a check: the memory is there already, and was counted for another account. */
  assign(bytes: number): void;
  /** From now on, it can't be ended: its memory is used by something that can't be stopped. */
  keep(): void;
}

/** What a budget has, for metrics. */
export interface BudgetState {
  readonly name: string;
  readonly usedBytes: number;
  readonly maxBytes: number;
  /** How often a holding was ended, and how often a request for memory was refused, because the budget was full. */
  readonly ended: number;
  readonly refused: number;
}

/** What can be shown as a budget in metrics. */
export interface MeasuredBudget {
  readonly state: BudgetState;
}

interface BudgetOptions {
  /** As it is called in metrics, such as `events`. */
  readonly name: string;
  /** What it holds, in errors, such as `collectors' bodies`. */
  readonly content: string;
  /** The setting of its maximum, if there is one. */
  readonly setting?: string;
  readonly maxBytes: number;
  /**
   * The maximum of one key; by default, the whole. Where what is held can't be ended, a key must leave room for others.
   */
  readonly maxKeyBytes?: number;
}

/** Bytes by key and subject, and what holds them. */
class KeyShare {
  bytes = 0;
  readonly subjects = new Map<string, SubjectShare>();
}

class SubjectShare {
  bytes = 0;
  readonly held = new Set<Held>();
}

/**
 * Bounds the memory that one kind of things takes, by key and in all. When it is full, the largest holding of the key that
 * holds most is ended or, if it is the one that grows, refused. Callers of other keys never are. Within a key, the subject
 * that holds most gives way.
 */
export class MemoryBudget implements MeasuredBudget {
  readonly name: string;
  readonly maxBytes: number;
  readonly maxKeyBytes: number;
  readonly #content: string;
  readonly #setting: string;
  readonly #keys = new Map<string, KeyShare>();
  #bytes = 0;
  /** Bytes of ended holdings that are not released yet. */
  #leaving = 0;
  #ended = 0;
  #refused = 0;

  constructor({ name, content, setting, maxBytes, maxKeyBytes = maxBytes }: BudgetOptions) {
    this.name = name;
    this.#content = content;
    this.#setting = setting === undefined ? '' : ` (${setting})`;
    this.maxBytes = maxBytes;
    this.maxKeyBytes = maxKeyBytes;
  }

  get state(): BudgetState {
    const { name, maxBytes } = this;
    const usedBytes = this.#bytes + this.#leaving;
    return { name, usedBytes, maxBytes, ended: this.#ended, refused: this.#refused };
  }

  /** Bytes that a key holds. */
  bytesOf(key: string): number {
    return this.#keys.get(key)?.bytes ?? 0;
  }

  /**
   * Begins a holding without any bytes.
   *
   * @param end ends what the memory is kept for, which then releases it. If absent, it can't be ended
   * @param shrink releases what can be had again in another way. It is called before anything is ended
   */
  hold(account: Account, end?: (reason: GatewayError) => void, shrink?: () => void): Holding {
    return new Held(this, account, end, shrink);
  }

  /** Changes the bytes of a holding without a check. */
  count(held: Held, bytes: number): void {
    if (held.isEnded) {
      this.#leaving += bytes - held.bytes;
      held.bytes = bytes;
      return;
    }
    const { key, subject } = held.account;
    const more = bytes - held.bytes;
    const ofKey = this.#keys.get(key) ?? new KeyShare();
    const ofSubject = ofKey.subjects.get(subject) ?? new SubjectShare();
    held.bytes = bytes;
    this.#bytes += more;
    ofKey.bytes += more;
    ofSubject.bytes += more;
    if (bytes > 0) ofSubject.held.add(held);
    else ofSubject.held.delete(held);
    if (ofSubject.held.size > 0) ofKey.subjects.set(subject, ofSubject);
    else ofKey.subjects.delete(subject);
    if (ofKey.subjects.size > 0) this.#keys.set(key, ofKey);
    else this.#keys.delete(key);
  }

  /** Counts more bytes of a holding, and makes room for them if necessary. */
  grow(held: Held, bytes: number): void {
    const before = held.bytes;
    this.count(held, bytes);
    try {
      this.#makeRoom(held);
    } catch (error) {
      this.count(held, before);
      this.#refused += 1;
      throw error;
    }
  }

  #makeRoom(asking: Held): void {
    for (;;) {
      if (asking.endedBy !== undefined) throw asking.endedBy;
      const { key } = asking.account;
      const isOverShare = this.maxKeyBytes < this.maxBytes && this.bytesOf(key) > this.maxKeyBytes;
      if (!isOverShare && this.#bytes <= this.maxBytes) {
        // Those that were ended still use memory for a moment, which has a limit, too.
        if (this.#bytes + this.#leaving <= 1.5 * this.maxBytes) return;
        throw this.#full();
      }
      const keys = isOverShare ? [key] : [...this.#keys.keys()];
      if (this.#shrinkOne(keys)) continue;
      if (asking.bytes > this.maxKeyBytes) throw this.#tooLarge();
      const reason = isOverShare ? this.#overShare() : this.#full();
      const largest = this.#largest(asking, keys);
      if (largest === asking) throw reason;
      this.#end(largest, reason);
    }
  }

  /** Makes one holding smaller, the largest one first. Returns whether there is one that becomes smaller. */
  #shrinkOne(keys: readonly string[]): boolean {
    const held = keys.flatMap((key) => [...(this.#keys.get(key)?.subjects.values() ?? [])]);
    return held
      .flatMap((subject) => [...subject.held])
      .filter((each) => each.canShrink)
      .sort((one, other) => other.bytes - one.bytes)
      .some((each) => each.shrink());
  }

  /**
   * The largest holding that can be ended, of the subject that holds most, of the key that holds most. Among equals, the one
   * that asks.
   */
  #largest(asking: Held, keys: Iterable<string>): Held {
    let [largest, rank] = [asking, this.#rank(asking)];
    for (const key of keys) {
      for (const { held } of this.#keys.get(key)?.subjects.values() ?? []) {
        for (const each of held) {
          if (!each.canEnd) continue;
          const other = this.#rank(each);
          if (isHigher(other, rank)) [largest, rank] = [each, other];
        }
      }
    }
    return largest;
  }

  /** What it is chosen by: its key comes first. */
  #rank({ account: { key, subject }, bytes }: Held): Rank {
    const ofKey = this.#keys.get(key);
    return [ofKey?.bytes ?? 0, ofKey?.subjects.get(subject)?.bytes ?? 0, bytes];
  }

  #end(held: Held, reason: GatewayError): void {
    const { bytes } = held;
    this.count(held, 0);
    this.#leaving += bytes;
    this.#ended += 1;
    held.bytes = bytes;
    held.endBy(reason);
  }

  #full(): GatewayError {
    const message = `The gateway's memory for ${this.#content} is full: ${megabytes(this.maxBytes)}${this.#setting}. Try again later.`;
    return new GatewayError('OVERLOADED', message, { retryAfterSeconds: 1 });
  }

  #overShare(): GatewayError {
    const message = `The ${this.#content} of this key would take more than ${megabytes(this.maxKeyBytes)} of memory${this.#setting}. Send fewer at a time.`;
    return new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
  }

  /** The error of one that would not fit if it were alone. */
  #tooLarge(): GatewayError {
    const message = `It alone would take more than the gateway's memory for ${this.#content}: ${megabytes(this.maxKeyBytes)}${this.#setting}.`;
    return new GatewayError('QUERY_FAILED', message);
  }
}

type Rank = readonly [ofKey: number, ofSubject: number, own: number];

function isHigher(a: Rank, b: Rank): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

class Held implements Holding {
  bytes = 0;
  readonly account: Account;
  readonly #budget: MemoryBudget;
  #end: ((reason: GatewayError) => void) | undefined;
  readonly #shrink: (() => void) | undefined;
  #endedBy: GatewayError | undefined;

  constructor(
    budget: MemoryBudget,
    account: Account,
    end: ((reason: GatewayError) => void) | undefined,
    shrink: (() => void) | undefined,
  ) {
    this.#budget = budget;
    this.account = account;
    this.#end = end;
    this.#shrink = shrink;
  }

  get canShrink(): boolean {
    return this.#shrink !== undefined;
  }

  /** Returns whether it takes less memory now. */
  shrink(): boolean {
    const before = this.bytes;
    this.#shrink?.();
    return this.bytes < before;
  }

  get canEnd(): boolean {
    return this.#end !== undefined;
  }

  get isEnded(): boolean {
    return this.#endedBy !== undefined;
  }

  get endedBy(): GatewayError | undefined {
    return this.#endedBy;
  }

  endBy(reason: GatewayError): void {
    this.#endedBy = reason;
    this.#end?.(reason);
  }

  add(bytes: number): void {
    this.resize(this.bytes + bytes);
  }

  resize(bytes: number): void {
    if (bytes <= this.bytes) this.#budget.count(this, bytes);
    else if (this.#endedBy !== undefined) throw this.#endedBy;
    else this.#budget.grow(this, bytes);
  }

  assign(bytes: number): void {
    this.#budget.count(this, bytes);
  }

  keep(): void {
    this.#end = undefined;
  }

  [Symbol.dispose](): void {
    this.#budget.count(this, 0);
  }
}
