import { formatRange, parseRange, type RangeChoice } from '../../../parts/time/time-range.ts';

/** How a filter compares a field with its value. */
export const operators = [
  '=',
  '!=',
  'within',
  'outside',
  'contains',
  'lacks',
  '>',
  '>=',
  '<',
  '<=',
  'exists',
  'missing',
] as const;
export type Operator = (typeof operators)[number];

/** A condition on a field, as somebody has clicked or typed it. */
export interface Filter {
  /** The field: see `pathText`. */
  readonly path: string;
  readonly operator: Operator;
  /** Empty for operators that take none. */
  readonly value: string;
}

/** A field whose most frequent values are shown. */
export interface Facet {
  readonly path: string;
  /** How many parts of a path such as `/rest/v1/users` are one value. 0: the whole text is. */
  readonly parts: number;
}

/** An order of rows other than the newest first. */
export interface RowOrder {
  readonly path: string;
  readonly isDescending: boolean;
}

/** What the page shows of a table. All of it is in its address. */
export interface Exploration {
  readonly range: RangeChoice;
  readonly filters: readonly Filter[];
  /** Further conditions: an expression in SQL and filters in LQL, empty for none. */
  readonly sql: string;
  readonly lql: string;
  /** The fields that are shown as columns. Undefined: those of the table. */
  readonly columns: readonly string[] | undefined;
  readonly order: RowOrder | undefined;
  /** Undefined: those that are likely to be useful. */
  readonly facets: readonly Facet[] | undefined;
}

const defaultRange: RangeChoice = { kind: 'last', count: 24, unit: 'h' };

export const nothingChosen: Exploration = {
  range: defaultRange,
  filters: [],
  sql: '',
  lql: '',
  columns: undefined,
  order: undefined,
  facets: undefined,
};

/** Whether an operator compares with a value. */
export function takesValue(operator: Operator): boolean {
  return operator !== 'exists' && operator !== 'missing';
}

/** The text of a field's path: names with dots between them, dots and such within names as `%2E`. */
export function pathText(names: readonly string[]): string {
  return names.map((name) => name.replace(/[%. ,]/g, (character) => encoded(character))).join('.');
}

/** The names of a path. */
export function pathNames(text: string): readonly string[] {
  return text
    .split('.')
    .map((name) =>
      name.replace(/%([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    );
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** A filter as the address has it: `metadata.status = 500`, `user exists`. */
export function formatFilter({ path, operator, value }: Filter): string {
  return takesValue(operator) ? `${path} ${operator} ${value}` : `${path} ${operator}`;
}

/** Reads the text of a filter. Undefined if it is none. */
export function parseFilter(text: string): Filter | undefined {
  const [, path, word, , value] = /^(\S+) (\S+)( (.*))?$/s.exec(text) ?? [];
  const operator = operators.find((one) => one === word);
  if (path === undefined || operator === undefined || takesValue(operator) !== (value !== undefined))
    return undefined;
  return { path, operator, value: value ?? '' };
}

export function isSameFilter(one: Filter, other: Filter): boolean {
  return formatFilter(one) === formatFilter(other);
}

/** The values of an address for what is chosen: what is as it begins is left out. */
export function formatExploration(
  exploration: Exploration,
): readonly (readonly [name: string, value: string])[] {
  const { range, filters, sql, lql, columns, order, facets } = exploration;
  return [
    ...(formatRange(range) === formatRange(defaultRange) ? [] : [['range', formatRange(range)] as const]),
    ...filters.map((filter) => ['filter', formatFilter(filter)] as const),
    ...(sql === '' ? [] : [['sql', sql] as const]),
    ...(lql === '' ? [] : [['lql', lql] as const]),
    ...(columns === undefined ? [] : [['columns', columns.join(',')] as const]),
    ...(order === undefined ? [] : [['order', `${order.isDescending ? '-' : ''}${order.path}`] as const]),
    ...(facets === undefined
      ? []
      : [
          [
            'facets',
            facets.map(({ path, parts }) => (parts === 0 ? path : `${path} ${parts}`)).join(','),
          ] as const,
        ]),
  ];
}

/** What an address says, and which of its values can't be read: these are shown, and nothing is guessed. */
export function parseExploration(values: URLSearchParams): {
  readonly exploration: Exploration;
  readonly mistakes: readonly string[];
} {
  const mistakes: string[] = [];
  const read = <T>(
    name: string,
    text: string | null,
    parse: (text: string) => T | undefined,
  ): T | undefined => {
    const parsed = text === null ? undefined : parse(text);
    if (text !== null && parsed === undefined) mistakes.push(`The address has no valid ${name}: ${text}`);
    return parsed;
  };
  const list = (name: string) => values.get(name)?.split(',').filter(Boolean);
  const exploration: Exploration = {
    range: read('range', values.get('range'), parseRange) ?? defaultRange,
    filters: values.getAll('filter').flatMap((text) => read('filter', text, parseFilter) ?? []),
    sql: values.get('sql') ?? '',
    lql: values.get('lql') ?? '',
    columns: list('columns'),
    order: read('order', values.get('order'), parseOrder),
    facets: list('facets')?.flatMap((text) => read('facet', text, parseFacet) ?? []),
  };
  return { exploration, mistakes };
}

function parseOrder(text: string): RowOrder | undefined {
  const path = text.replace(/^-/, '');
  return /^\S+$/.test(path) ? { path, isDescending: text.startsWith('-') } : undefined;
}

function parseFacet(text: string): Facet | undefined {
  const [, path, parts = '0'] = /^(\S+)(?: ([1-9]))?$/.exec(text) ?? [];
  return path === undefined ? undefined : { path, parts: Number(parts) };
}

/** With one more filter. What it contradicts goes: a value is wanted or not, never both. */
export function withFilter(exploration: Exploration, added: Filter): Exploration {
  const opposite: Partial<Record<Operator, Operator>> = {
    '=': '!=',
    '!=': '=',
    within: 'outside',
    outside: 'within',
    contains: 'lacks',
    lacks: 'contains',
    exists: 'missing',
    missing: 'exists',
  };
  const contrary = { ...added, operator: opposite[added.operator] ?? added.operator };
  const others = exploration.filters.filter(
    (filter) => !isSameFilter(filter, added) && !isSameFilter(filter, contrary),
  );
  return { ...exploration, filters: [...others, added] };
}
