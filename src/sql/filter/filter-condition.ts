import { JsonNumber } from '../../base/text/json-number.ts';
import { bySimilarity } from '../../base/text/suggest.ts';
import { microsOfUnixTime } from '../lql/parse/parse-time.ts';
import { identifier } from '../text/identifier.ts';
import { textForms } from '../text/parse-text.ts';
import { literal, stringLiteral } from '../text/sql-text.ts';
import { formatType, type ScalarTypeName, type SqlType } from '../values/type.ts';
import { filterError, type Step, shownText } from './filter-error.ts';
import type { FilterField } from './filter-fields.ts';
import { type FilterJson, Members } from './filter-json.ts';
import { comparisons, type Operator, operatorsOf } from './operators.ts';

/** Limits of a filter. */
export const filterLimits = {
  /** Levels from the filter to an operator: `{"a":{"b":{"eq":1}}}` has three. */
  depth: 12,
  /** Operators, and lists of and, or and in. */
  conditions: 100,
  /** Elements of all lists of `in`, `and` and `or` together. */
  values: 1_000,
  /** Characters of a regular expression. */
  pattern: 1_000,
} as const;

/** The rows that a filter is for. */
export interface FilterScope {
  /** The name of the filter in the request, with which paths in errors begin. */
  readonly root: string;
  /** The alias of a row in SQL. No column has its name. */
  readonly row: string;
  readonly fields: readonly FilterField[];
  /** Says what is wrong with a regular expression, if anything is. */
  readonly regexpMistake: (pattern: string) => string | undefined;
}

/**
 * A filter as a GoogleSQL condition on a row. All values are literals of their columns' types. Filters that differ in the
 * order of members only have the same condition.
 *
 * @returns undefined for the filter `{}`, which all rows pass
 * @throws GatewayError BAD_USER_INPUT with the path of what is wrong
 */
export function filterCondition(filter: FilterJson, scope: FilterScope): string | undefined {
  if (filter instanceof Members && filter.all.length === 0) return undefined;
  return new Conditions(scope).ofRecord(filter, scope.fields, scope.row, []);
}

/** All of the conditions, or one of them. */
function joined(conditions: readonly string[], operator: 'AND' | 'OR'): string {
  if (conditions.length === 0) return operator === 'AND' ? 'TRUE' : 'FALSE';
  return conditions.length === 1 ? (conditions[0] as string) : `(${conditions.join(` ${operator} `)})`;
}

class Conditions {
  readonly #scope: FilterScope;
  readonly #taken: ReadonlySet<string>;
  #conditions = 0;
  /** The elements of all lists. */
  #listed = 0;
  #elements = 0;

  constructor(scope: FilterScope) {
    this.#scope = scope;
    this.#taken = new Set(namesIn(scope.fields));
  }

  /** The condition on a row, a record or an element that is a record. */
  ofRecord(json: FilterJson, fields: readonly FilterField[], sql: string, path: readonly Step[]): string {
    const conditions = this.#members(json, path).map(([name, value]) => {
      const at = [...path, name];
      if (name === 'not') return `NOT ${this.#bracketed(this.ofRecord(value, fields, sql, at))}`;
      if (name === 'and' || name === 'or') {
        const each = this.#list(value, at).map((one, index) =>
          this.ofRecord(one, fields, sql, [...at, index]),
        );
        return joined(each, name === 'and' ? 'AND' : 'OR');
      }
      const field = fields.find((candidate) => candidate.name === name);
      if (field === undefined)
        throw this.#unknown(
          name,
          fields.map((each) => each.name),
          at,
        );
      return this.#ofValue(value, field, field.type, `${sql}.${identifier(field.sqlName)}`, at);
    });
    return joined(conditions, 'AND');
  }

  #ofValue(
    json: FilterJson,
    { fields }: FilterField,
    type: SqlType,
    sql: string,
    path: readonly Step[],
  ): string {
    if (type.kind === 'STRUCT') return this.ofRecord(json, fields, sql, path);
    if (type.kind !== 'ARRAY') return this.#ofScalar(json, type.kind, sql, path);
    const element = this.#element();
    const condition = this.#ofValue(json, { fields } as FilterField, type.element, element, path);
    return `EXISTS (SELECT 1 FROM UNNEST(${sql}) AS ${element} WHERE ${condition})`;
  }

  #ofScalar(json: FilterJson, type: ScalarTypeName, sql: string, path: readonly Step[]): string {
    const allowed: readonly string[] = operatorsOf(type);
    const conditions = this.#members(json, path).map(([name, value]) => {
      const at = [...path, name];
      if (!allowed.includes(name)) throw this.#noOperator(name, type, at);
      this.#count(at);
      return this.#test(name as Operator, value, type, sql, at);
    });
    return joined(conditions, 'AND');
  }

  #test(
    operator: Operator,
    json: FilterJson,
    type: ScalarTypeName,
    sql: string,
    path: readonly Step[],
  ): string {
    switch (operator) {
      case 'isNull':
        if (typeof json !== 'boolean') throw this.#error(path, `expected true or false, got ${kindOf(json)}`);
        return `${sql} IS ${json ? '' : 'NOT '}NULL`;
      case 'in': {
        const values = this.#list(json, path).map((value, index) =>
          this.#literal(value, type, [...path, index]),
        );
        return values.length === 0 ? 'FALSE' : `${sql} IN (${values.join(', ')})`;
      }
      case 'contains':
        return `STRPOS(${sql}, ${this.#literal(json, type, path)}) > 0`;
      case 'regex':
        return `REGEXP_CONTAINS(${sql}, ${this.#pattern(json, path)})`;
      default:
        return `${sql} ${comparisons[operator]} ${this.#literal(json, type, path)}`;
    }
  }

  #literal(json: FilterJson, type: ScalarTypeName, path: readonly Step[]): string {
    const form = textForms[type];
    const text = writtenAs(json, type);
    if (form === undefined || text === undefined) {
      const hint = json === null ? '; isNull finds rows without a value' : '';
      throw this.#error(path, `expected ${form?.expected}, got ${kindOf(json)}${hint}`);
    }
    if (text.includes('\0')) throw this.#error(path, 'a text can’t contain the character NUL');
    const value = (type === 'TIMESTAMP' ? microsOfUnixTime(text) : undefined) ?? form.parse(text);
    if (value === undefined) throw this.#error(path, `expected ${form.expected}, got ${shownText(text)}`);
    return literal(type, value);
  }

  #pattern(json: FilterJson, path: readonly Step[]): string {
    this.#literal(json, 'STRING', path);
    const pattern = String(json);
    if (pattern.length > filterLimits.pattern)
      throw this.#error(path, `longer than ${filterLimits.pattern.toLocaleString('en')} characters`);
    const mistake = this.#scope.regexpMistake(pattern);
    if (mistake !== undefined) throw this.#error(path, mistake);
    return stringLiteral(pattern);
  }

  /** The members of an object that has some, in an order that depends on their names alone. */
  #members(json: FilterJson, path: readonly Step[]): readonly (readonly [string, FilterJson])[] {
    if (path.filter((step) => typeof step === 'string').length >= filterLimits.depth)
      throw this.#error(path, `nested too deeply: at most ${filterLimits.depth} levels are allowed`);
    if (!(json instanceof Members)) throw this.#error(path, `expected an object, got ${kindOf(json)}`);
    if (json.all.length === 0)
      throw this.#error(path, 'the object is empty: leave it out, or give a condition');
    const names = new Set<string>();
    for (const [name] of json.all) {
      if (names.has(name)) throw this.#error([...path, name], 'given several times');
      names.add(name);
    }
    return json.all.toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  #list(json: FilterJson, path: readonly Step[]): readonly FilterJson[] {
    if (!Array.isArray(json)) throw this.#error(path, `expected a list, got ${kindOf(json)}`);
    this.#count(path);
    this.#listed += json.length;
    if (this.#listed > filterLimits.values)
      throw this.#error(
        path,
        `the filter has more than ${filterLimits.values.toLocaleString('en')} elements of lists`,
      );
    return json;
  }

  #count(path: readonly Step[]): void {
    if (++this.#conditions <= filterLimits.conditions) return;
    throw this.#error(path, `the filter has more than ${filterLimits.conditions} conditions`);
  }

  /** An alias for the elements of an array, which no field has as its name. */
  #element(): string {
    const alias = `e${++this.#elements}`;
    return this.#taken.has(alias) ? this.#element() : alias;
  }

  #bracketed(condition: string): string {
    return condition.startsWith('(') ? condition : `(${condition})`;
  }

  #unknown(name: string, known: readonly string[], path: readonly Step[]) {
    const shown = bySimilarity(name, known).slice(0, 10).join(', ');
    return this.#error(path, `there is no such field; known: ${shown}`);
  }

  #noOperator(name: string, type: ScalarTypeName, path: readonly Step[]) {
    const known = operatorsOf(type).join(', ');
    return this.#error(
      path,
      `${formatType({ kind: type })} has no operator ${shownText(name)}; known: ${known}`,
    );
  }

  #error(path: readonly Step[], problem: string) {
    return filterError(this.#scope.root, path, problem);
  }
}

function* namesIn(fields: readonly FilterField[]): Generator<string> {
  for (const field of fields) {
    yield field.sqlName.toLowerCase();
    yield* namesIn(field.fields);
  }
}

const numberTypes: ReadonlySet<ScalarTypeName> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

/** The text of a value, if it has the form in which JSON has values of the type. */
function writtenAs(json: FilterJson, type: ScalarTypeName): string | undefined {
  if (typeof json === 'boolean') return type === 'BOOL' ? String(json) : undefined;
  if (json instanceof JsonNumber)
    return numberTypes.has(type) || type === 'TIMESTAMP' ? json.text : undefined;
  // A JSON number can lose digits of the exact types on its way. None of FLOAT64 can.
  return typeof json === 'string' && type !== 'BOOL' && type !== 'FLOAT64' ? json : undefined;
}

function kindOf(json: FilterJson): string {
  if (json === null) return 'null';
  if (json instanceof JsonNumber) return `the number ${json.text.slice(0, 30)}`;
  if (typeof json === 'string') return `the text ${shownText(json)}`;
  if (typeof json === 'boolean') return String(json);
  return json instanceof Members ? 'an object' : 'a list';
}
