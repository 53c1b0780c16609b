import { formatType, type SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import type { Constant } from '../dialect/constant.ts';
import { literalSql } from '../dialect/literal.ts';

/** What an input comes from. */
export type InputSource =
  | { readonly from: 'parameter'; readonly name: string }
  | { readonly from: 'clock' }
  /** A constant expression of earlier inputs. */
  | { readonly from: 'expression'; readonly sql: Template; readonly type: SqlType }
  /** The clock, moved by a number of microseconds. */
  | { readonly from: 'moved clock'; readonly micros: bigint };

/** The place of an input's literal in SQL. */
export interface Hole {
  readonly input: number;
  readonly type: SqlType;
}

/** SQL with holes: texts and the holes between them. */
export interface Template {
  readonly texts: readonly string[];
  readonly holes: readonly number[];
}

/** A value that an input must have for SQL to be valid. */
export type Condition = { readonly input: number } & (
  | { readonly value: Value }
  | { readonly isNull: boolean }
);

/** What stands for a literal. SQL with such a text of its own isn't the same with its literals: see `CompiledQuery.of`. */
const marker = /\uE000(\d+)\uE001/g;

/** SQL with a literal in each hole. */
export function filled({ texts, holes }: Template, literals: readonly string[]): string {
  let sql = texts[0] as string;
  for (const [i, place] of holes.entries()) sql += (literals[place] as string) + texts[i + 1];
  return sql;
}

/** SQL that was emitted while a recording was made. */
export function template(sql: string): Template {
  const parts = sql.split(marker);
  return {
    texts: parts.filter((_, i) => i % 2 === 0),
    holes: parts.filter((_, i) => i % 2 === 1).map(Number),
  };
}

/**
 * Records what SQL is made of while a plan is folded and emitted: which values it only contains as literals, and which
 * ones decided its structure, since they were read.
 */
export class Recording {
  readonly inputs: InputSource[] = [];
  readonly holes: Hole[] = [];
  readonly literals: string[] = [];
  readonly #values: Value[] = [];
  readonly #places = new Map<string, number>();
  readonly #read = new Set<number>();
  readonly #nullRead = new Set<number>();

  /** Adds a value that can be another one in the next run. */
  add(source: InputSource, value: Value): Constant {
    const input = this.inputs.push(source) - 1;
    this.#values.push(value);
    return new RecordedConstant(this, input);
  }

  /** The value of an input, on which the SQL then depends. */
  read(input: number): Value {
    this.#read.add(input);
    return this.#values[input] as Value;
  }

  readNull(input: number): boolean {
    this.#nullRead.add(input);
    return this.#values[input] === null;
  }

  /** What stands for the literal of an input in SQL that is being emitted. */
  marker(input: number, type: SqlType): string {
    const key = `${input} ${formatType(type)}`;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.holes.push({ input, type }) - 1;
      this.literals.push(literalSql(type, this.#values[input] as Value));
      this.#places.set(key, place);
    }
    return `\uE000${place}\uE001`;
  }

  conditions(): Condition[] {
    const values = [...this.#read].map((input) => ({ input, value: this.#values[input] as Value }));
    const nulls = [...this.#nullRead].map((input) => ({ input, isNull: this.#values[input] === null }));
    return [...values, ...nulls.filter(({ input }) => !this.#read.has(input))];
  }
}

class RecordedConstant implements Constant {
  readonly #recording: Recording;
  readonly #input: number;

  constructor(recording: Recording, input: number) {
    this.#recording = recording;
    this.#input = input;
  }

  get value(): Value {
    return this.#recording.read(this.#input);
  }

  get isNull(): boolean {
    return this.#recording.readNull(this.#input);
  }

  /** Folding keeps no long value, and parameters are read where they are used. */
  get isLong(): boolean {
    return false;
  }

  sqlAs(type: SqlType): string {
    return this.#recording.marker(this.#input, type);
  }
}
