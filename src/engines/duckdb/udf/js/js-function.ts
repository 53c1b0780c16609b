import {
  DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBScalarFunctionInfo,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
} from '@duckdb/node-api';
import { Failure, Refusal, TransientRefusal } from '../../../../sql/values/function-errors.ts';
import { noteCall } from '../../dialect/calls.ts';
import { memoryExceeded } from '../../guard/memory-guard.ts';
import type { RunningQueries, RunningQuery } from '../../guard/running-queries.ts';
import { callingQuery, requireRunning } from './calling-query.ts';
import { fallibleCall, registerFallible } from './fallible-function.ts';
import type { JsType } from './js-type.ts';
import type { WorkLimit } from './work-limit.ts';

/** Checks for free memory. */
export interface Room {
  /**
   * @param bytes the size of what is made at once
   * @param more the part of it that was not counted before
   */
  hasRoom(bytes: number, more: number): boolean;
  /** Stops queries that use too much memory. Call it periodically while the event loop is blocked. */
  enforce(): void;
}

const endless: Room = { hasRoom: () => true, enforce: () => {} };

/** What functions use besides their arguments. */
export interface FunctionContext {
  readonly limit: WorkLimit;
  /** Without it, memory is unlimited. */
  readonly room?: Room | undefined;
  /** Finds the calling query by the id of its connection. */
  readonly queries?: Pick<RunningQueries, 'on'> | undefined;
}

/** The options for computing a call's rows. */
interface Filling extends FunctionContext {
  /** Whether invalid arguments return NULL. */
  readonly safe: boolean;
  readonly query: RunningQuery | undefined;
  /** The start of the call, by the limit's clock. */
  readonly began: number;
}

/**
 * The maximum total length of a call's arguments, in characters or bytes: the call blocks the event loop. Parsing a
 * megabyte of JSON takes half a second (measured).
 */
const maxLength = 2_000_000;

/** The memory is checked again after this number of bytes of results. */
const stepBytes = 4_000_000;

type Parameters<A extends readonly unknown[]> = { readonly [I in keyof A]: JsType<A[I]> };

/**
 * A GoogleSQL function that SQL can't express, written in JavaScript. It takes about a microsecond per row, on the
 * event loop: use it for rare cases, and only with a time linear in the size of its arguments. NULL arguments return
 * NULL, as everywhere in GoogleSQL. As with macros, there is a safe variant that returns NULL instead of raising an
 * error.
 */
export class JsFunction<A extends readonly unknown[] = readonly never[], R = unknown> {
  readonly #name: string;
  readonly #parameters: Parameters<A>;
  readonly #result: JsType<R>;
  readonly #compute: (...args: A) => R | null;
  readonly #bytesOf: (result: R) => number;

  /**
   * @param compute throws a `Failure` for invalid arguments, and a `Refusal` for what it can't compute
   * @param bytesOf the memory size of a result
   */
  constructor(
    name: string,
    parameters: Parameters<A>,
    result: JsType<R>,
    compute: (...args: A) => R | null,
    bytesOf: (result: R) => number = sizeOf,
  ) {
    this.#bytesOf = bytesOf;
    this.#name = `gateway_${name}`;
    this.#parameters = parameters;
    this.#result = result;
    this.#compute = compute;
  }

  /** A call as SQL. With `safe`, it returns NULL instead of raising an error. */
  call(args: readonly string[], safe = false): string {
    noteCall('js');
    return this.rareCall(args, safe);
  }

  /** A call for so few rows that the query needn't be arranged for it. */
  rareCall(args: readonly string[], safe = false): string {
    return fallibleCall(safe ? this.#safeVariant : this.#name, args);
  }

  /**
   * Registers the function and its safe variant for all connections of an instance.
   *
   * @param suffix the suffix of their names, for further copies
   */
  register(connection: DuckDBConnection, context: FunctionContext, suffix = ''): void {
    const parameterTypes = this.#parameters.map((parameter: { duck: DuckDBType }) => parameter.duck);
    const common = { parameterTypes, resultType: this.#result.duck };
    for (const [name, safe] of [[this.#name, false] as const, [this.#safeVariant, true] as const]) {
      registerFallible(connection, {
        ...common,
        name: name + suffix,
        fill: (info, input, results) => this.#fill(info, input, results, { ...context, safe }),
      });
    }
  }

  /** Statements that make a connection call the copies with a suffix instead. */
  replacements(suffix: string): readonly string[] {
    const names = this.#parameters.map((_: unknown, i: number) => `p${i}`).join(', ');
    return [this.#name, this.#safeVariant].map(
      (name) => `CREATE TEMP MACRO ${name}(${names}) AS ${name}${suffix}(${names})`,
    );
  }

  get #safeVariant(): string {
    return `${this.#name}_or_null`;
  }

  #fill(
    info: DuckDBScalarFunctionInfo,
    input: DuckDBDataChunk,
    results: DuckDBVector,
    context: FunctionContext & { readonly safe: boolean },
  ): void {
    const { limit, queries } = context;
    const query = callingQuery(info, queries);
    const began = limit.tick();
    try {
      this.#fillRows(input, results, { ...context, query, began });
    } finally {
      query?.functionTime?.add(began, limit.tick());
    }
  }

  #fillRows(
    input: DuckDBDataChunk,
    results: DuckDBVector,
    { limit, room = endless, safe, query, began }: Filling,
  ): void {
    let bytes = 0;
    let asked = 0;
    const columns = this.#parameters.map((_: unknown, i: number) => input.getColumnVector(i));
    // A call of DuckDB for each row would take a tenth of the time.
    const { rowCount } = input;
    for (let row = 0; row < rowCount; row++) {
      // A single row may take some tenths of a second.
      const now = limit.tick();
      requireRunning(query, now);
      if (query?.functionTime?.check(began, now, limit.turnMs(now)) === false)
        throw new TransientRefusal('The query runs again in one thread');
      if (limit.isExceeded(now))
        throw new TransientRefusal('Resources exceeded: the query has too much work for its functions');
      const result = this.#row(columns, row, safe);
      results.setItem(row, result === null ? null : this.#result.write(result));
      if (result !== null) bytes += this.#bytesOf(result);
      if (bytes - asked < stepBytes && row < rowCount - 1) continue;
      if (bytes > asked && !room.hasRoom(bytes, bytes - asked)) throw new TransientRefusal(memoryExceeded);
      asked = bytes;
    }
  }

  #row(columns: readonly DuckDBVector[], row: number, safe: boolean): R | null {
    const args: unknown[] = [];
    let length = 0;
    for (const [i, column] of columns.entries()) {
      const value = column.getItem(row);
      if (value === null) return null;
      length += lengthOf(value);
      if (length > maxLength) {
        throw new Refusal(
          `Resources exceeded: a function was given a value longer than ${maxLength} characters`,
        );
      }
      args.push(this.#parameters[i]?.read(value));
    }
    try {
      return this.#compute(...(args as unknown as A));
    } catch (error) {
      if (safe && error instanceof Failure && !(error instanceof Refusal)) return null;
      throw error;
    }
  }
}

function lengthOf(value: DuckDBValue): number {
  if (typeof value === 'string') return value.length;
  return value instanceof DuckDBBlobValue ? value.bytes.length : 0;
}

function sizeOf(result: unknown): number {
  if (typeof result === 'string' || result instanceof Uint8Array) return result.length;
  return Array.isArray(result) ? 16 * result.length : 0;
}
