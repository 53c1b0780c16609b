import { identifier, reserved } from '../../text/identifier.ts';
import { constantSql } from '../../text/sql-text.ts';
import { formatType } from '../../values/type.ts';
import { isFixed } from './fixed.ts';
import type { Modifiers, OrderTerm, Term } from './term.ts';

/** What a text of a term leaves out. */
export interface TextStyle {
  /** The relation whose columns need no qualifier: that of a query that reads only one. */
  readonly plain: string | undefined;
  /** The maximum length in characters. By default, `longestText`. */
  readonly length?: number;
}

/** Longer texts are cut. */
const longestText = 200;

const infix: Readonly<Record<string, string>> = {
  $and: 'AND',
  $or: 'OR',
  $equal: '=',
  $not_equal: '!=',
  $less: '<',
  $less_or_equal: '<=',
  $greater: '>',
  $greater_or_equal: '>=',
  $add: '+',
  $subtract: '-',
  $multiply: '*',
  $divide: '/',
  $concat_op: '||',
  $like: 'LIKE',
  $is_distinct: 'IS DISTINCT FROM',
  $is_not_distinct: 'IS NOT DISTINCT FROM',
  $bitwise_and: '&',
  $bitwise_or: '|',
  $bitwise_xor: '^',
};

/** The operator for the two sides in the other order. */
const turned: Readonly<Record<string, string>> = {
  $equal: '=',
  $not_equal: '!=',
  $less: '>',
  $less_or_equal: '>=',
};

/** A term in GoogleSQL, for people: conditions have constants on the right, and long texts are cut. */
export function termText(term: Term, { plain, length = longestText }: TextStyle): string {
  const writer = new TermWriter(plain, length);
  writer.term(term, false);
  return writer.text();
}

/** A key of an order as `ORDER BY` has it. */
export function orderText({ term, isDescending, nulls }: OrderTerm, style: TextStyle): string {
  return [termText(term, style), isDescending ? 'DESC' : '', nulls].filter((part) => part !== '').join(' ');
}

/** The operators with NOT in them. */
const negatable: Readonly<Record<string, string>> = {
  $is_null: 'IS NOT NULL',
  $like: 'NOT LIKE ',
  $in: 'NOT IN (',
  $in_array: 'NOT IN UNNEST(',
};

/** Thrown when the text is long enough: terms share parts, so that a complete text could have no end. */
class Full extends Error {}

class TermWriter {
  readonly #plain: string | undefined;
  readonly #length: number;
  #text = '';

  constructor(plain: string | undefined, length: number) {
    this.#plain = plain;
    this.#length = length;
  }

  text(): string {
    // Sentences have SQL in backticks, which would end at one within it.
    const characters = [...this.#text.replaceAll('`', 'ˋ')];
    return characters.length > this.#length
      ? `${characters.slice(0, this.#length).join('')}…`
      : characters.join('');
  }

  /** @param isPart whether operators need parentheses */
  term(term: Term, isPart: boolean): void {
    try {
      this.#term(term, isPart);
    } catch (error) {
      if (!(error instanceof Full)) throw error;
    }
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length > this.#length) throw new Full();
  }

  #list(terms: readonly Term[], separator = ', ', isPart = false): void {
    for (const [index, each] of terms.entries()) {
      if (index > 0) this.#add(separator);
      this.#term(each, isPart);
    }
  }

  #term(term: Term, isPart: boolean): void {
    const { kind, name, args, constant, of = '' } = term;
    switch (kind) {
      case 'column':
        this.#add(of === '' || of === this.#plain ? shownName(name) : `${of}.${shownName(name)}`);
        break;
      case 'constant':
        this.#add(constant === undefined ? name : constantText(constant));
        break;
      case 'parameter':
        this.#add(`@${name}`);
        break;
      case 'keyword':
      case 'other':
        this.#add(name);
        break;
      case 'cast':
        this.#around(term.isSafe === true ? 'SAFE_CAST(' : 'CAST(', args, ` AS ${name})`);
        break;
      case 'field':
        this.#list(args, '', true);
        this.#add(`.${shownName(name)}`);
        break;
      case 'struct':
        this.#around('STRUCT(', args, ')');
        break;
      case 'subquery':
        this.#subquery(term);
        break;
      case 'call':
        this.#call(term, isPart);
    }
  }

  #around(start: string, args: readonly Term[], end: string): void {
    this.#add(start);
    this.#list(args);
    this.#add(end);
  }

  #subquery({ name, args, form = 'SCALAR' }: Term): void {
    if (form === 'IN') {
      this.#list(args, ', ', true);
      this.#add(` IN (${name})`);
    } else this.#add(`${form === 'SCALAR' ? '' : form}(${name})`);
  }

  #call(term: Term, isPart: boolean): void {
    const { name, args } = term;
    const operator = infix[name];
    if (operator !== undefined && args.length >= 2) {
      const [first, second] = args;
      const isTurned =
        args.length === 2 &&
        first !== undefined &&
        second !== undefined &&
        isFixed(first) &&
        !isFixed(second) &&
        turned[name] !== undefined;
      const sides = isTurned ? args.toReversed() : args;
      this.#enclosed(isPart, () => this.#list(sides, ` ${isTurned ? turned[name] : operator} `, true));
    } else if (!this.#special(term, isPart)) {
      this.#add(`${term.isSafe === true ? 'SAFE.' : ''}${functionText(name)}(`);
      if (term.modifiers?.isDistinct === true) this.#add('DISTINCT ');
      const interval = intervalFunctions.test(name) && args.length === 3;
      if (name === '$count_star') this.#add('*');
      else if (interval) {
        this.#list(args.slice(0, 1));
        this.#add(', INTERVAL ');
        this.#list(args.slice(1), ' ', true);
      } else this.#list(args);
      if (term.modifiers !== undefined) this.#inner(term.modifiers);
      this.#add(')');
    }
    if (term.modifiers?.over !== undefined) this.#over(term.modifiers);
  }

  #enclosed(isPart: boolean, write: () => void): void {
    if (isPart) this.#add('(');
    write();
    if (isPart) this.#add(')');
  }

  /** Writes calls whose syntax isn't that of functions. */
  #special({ name, args }: Term, isPart: boolean): boolean {
    const [first, second, third] = args;
    if (first === undefined) return false;
    const written: Readonly<Record<string, (() => void) | undefined>> = {
      $not: () => this.#negated(first),
      $is_null: () => {
        this.#term(first, true);
        this.#add(' IS NULL');
      },
      $is_true: () => {
        this.#term(first, true);
        this.#add(' IS TRUE');
      },
      $is_false: () => {
        this.#term(first, true);
        this.#add(' IS FALSE');
      },
      $unary_minus: () => {
        this.#add('-');
        this.#term(first, true);
      },
      $in: () => {
        this.#term(first, true);
        this.#add(' IN (');
        this.#list(args.slice(1));
        this.#add(')');
      },
      $in_array: () => {
        this.#term(first, true);
        this.#add(' IN UNNEST(');
        this.#list(args.slice(1));
        this.#add(')');
      },
      $case_no_value: () => this.#cases(args),
      $case_with_value: () => this.#cases(args.slice(1), first),
      $extract: () => {
        this.#add('EXTRACT(');
        this.#list(args.slice(1, 2));
        this.#add(' FROM ');
        this.#term(first, false);
        this.#add(')');
      },
      $array_at_offset: second && (() => this.#element(first, 'OFFSET', second)),
      $array_at_ordinal: second && (() => this.#element(first, 'ORDINAL', second)),
      $safe_array_at_offset: second && (() => this.#element(first, 'SAFE_OFFSET', second)),
      $safe_array_at_ordinal: second && (() => this.#element(first, 'SAFE_ORDINAL', second)),
      $make_array: () => {
        this.#add('[');
        this.#list(args);
        this.#add(']');
      },
      $between:
        second &&
        third &&
        (() => {
          this.#term(first, true);
          this.#add(' BETWEEN ');
          this.#list([second, third], ' AND ', true);
        }),
    };
    const write = Object.hasOwn(written, name) ? written[name] : undefined;
    if (write === undefined) return false;
    if (name.startsWith('$not') || name.startsWith('$is') || name.startsWith('$in'))
      this.#enclosed(isPart, write);
    else write();
    return true;
  }

  #negated(term: Term): void {
    const [first, ...others] = term.args;
    const operator = term.kind === 'call' ? negatable[term.name] : undefined;
    if (operator === undefined || first === undefined) {
      this.#add('NOT ');
      this.#term(term, true);
      return;
    }
    this.#term(first, true);
    this.#add(` ${operator}`);
    if (operator === 'NOT LIKE ') this.#list(others, '', true);
    else if (others.length > 0) {
      this.#list(others);
      this.#add(')');
    }
  }

  #element(array: Term, how: string, at: Term): void {
    this.#term(array, true);
    this.#add(`[${how}(`);
    this.#term(at, false);
    this.#add(')]');
  }

  #cases(args: readonly Term[], value?: Term): void {
    this.#add('CASE');
    if (value !== undefined) {
      this.#add(' ');
      this.#term(value, true);
    }
    for (let at = 0; at + 1 < args.length; at += 2) {
      this.#add(' WHEN ');
      this.#list(args.slice(at, at + 2), ' THEN ');
    }
    if (args.length % 2 === 1) {
      this.#add(' ELSE ');
      this.#list(args.slice(-1));
    }
    this.#add(' END');
  }

  #inner({ nulls, order, limit, having }: Modifiers): void {
    if (nulls !== '') this.#add(` ${nulls}`);
    if (having !== undefined) {
      this.#add(` HAVING ${having.kind} `);
      this.#term(having.by, true);
    }
    if (order.length > 0) this.#order(' ORDER BY ', order);
    if (limit !== undefined) {
      this.#add(' LIMIT ');
      this.#term(limit, false);
    }
  }

  #over({ over }: Modifiers): void {
    if (over === undefined) return;
    this.#add(' OVER (');
    if (over.partition.length > 0) {
      this.#add('PARTITION BY ');
      this.#list(over.partition);
    }
    if (over.order.length > 0)
      this.#order(over.partition.length > 0 ? ' ORDER BY ' : 'ORDER BY ', over.order);
    this.#add(`${over.frame === '' ? '' : ` ${over.frame}`})`);
  }

  #order(start: string, order: readonly OrderTerm[]): void {
    this.#add(start);
    for (const [index, { term, isDescending, nulls }] of order.entries()) {
      if (index > 0) this.#add(', ');
      this.#term(term, false);
      if (isDescending) this.#add(' DESC');
      if (nulls !== '') this.#add(` ${nulls}`);
    }
  }
}

const intervalFunctions = /^(?:timestamp|date|datetime|time)_(?:add|sub)$/;

function functionText(name: string): string {
  if (name === '$count_star') return 'COUNT';
  return name.replace(/^\$/, '').toUpperCase();
}

/** Types of numbers whose literals need no type to be read by people. */
const numbers: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

function constantText({ type, value }: NonNullable<Term['constant']>): string {
  try {
    if (value === null) return 'NULL';
    if (numbers.has(type.kind) && Number.isFinite(Number(value))) return String(value);
    return constantSql(type, value);
  } catch {
    return `a ${formatType(type)}`;
  }
}

function shownName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name.toUpperCase()) ? name : identifier(name);
}
