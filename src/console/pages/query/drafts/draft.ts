import { writtenName } from '../../../../sql/editing/written-name.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import type { ChartChoice } from '../../../parts/chart/chart-choice.ts';
import {
  initialValues,
  isSameValues,
  type ParameterValues,
} from '../../../parts/parameters/parameter-values.ts';

const numbers = ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC'];

/** A query over the first table that runs as it is: rows by hour, if they have a time. */
export function exampleQuery(tables: Endpoint['tables'], language: 'sql' | 'lql'): string {
  const [table] = tables;
  if (table === undefined) return '';
  const time = table.columns.find(({ type }) => type === 'TIMESTAMP');
  const isAggregate = table.columns.some(({ type }) => numbers.includes(type));
  if (language === 'lql') {
    const isChart = time?.name === 'timestamp' && !isAggregate;
    return `f:${table.name}${isChart ? ' c:count(*) c:group_by(t::hour)' : ''}`;
  }
  const name = writtenName(table.name);
  if (time === undefined) return `select *\nfrom ${name}\nlimit 100`;
  const column = writtenName(time.name);
  if (isAggregate) return `select *\nfrom ${name}\norder by ${column} desc\nlimit 100`;
  return `select timestamp_trunc(${column}, hour) as hour, count(*) as row_count
from ${name}
group by hour
order by hour desc
limit 100`;
}

/** The language of a query. */
export type Language = 'sql' | 'lql';

/** A query that is being written, in a tab of its own. */
export interface Draft {
  readonly id: string;
  /** The name of an endpoint. */
  readonly endpoint: string;
  readonly language: Language;
  /** A text in each language, so that none is lost when the user changes it. */
  readonly sql: string;
  readonly lql: string;
  readonly values: ParameterValues;
  /** The chart of its rows. Undefined while they are shown as a table. */
  readonly chart?: ChartChoice | undefined;
}

/** What a link and the history say of a draft. */
export interface Question {
  readonly endpoint: string;
  readonly language: Language;
  readonly text: string;
  readonly values: ParameterValues;
}

/** A draft with example queries over an endpoint's tables. */
export function exampleDraft(id: string, endpoint: Endpoint, address = new URLSearchParams()): Draft {
  return {
    id,
    endpoint: endpoint.name,
    language: 'sql',
    sql: exampleQuery(endpoint.tables, 'sql'),
    lql: exampleQuery(endpoint.tables, 'lql'),
    values: initialValues(endpoint.parameters, address),
  };
}

export function questionOf({ endpoint, language, values, ...texts }: Omit<Draft, 'chart'>): Question {
  return { endpoint, language, text: texts[language], values };
}

/** A draft after a question: what the question doesn't say is as in the draft. */
export function withQuestion(draft: Draft, { endpoint, language, text, values }: Question): Draft {
  return { ...draft, endpoint, language, values, [language]: text };
}

/** A draft over the tables of another endpoint. Examples that nobody has changed follow. */
export function withEndpoint(draft: Draft, from: Endpoint | undefined, to: Endpoint): Draft {
  const next = exampleDraft(draft.id, to);
  const text = (language: Language) => {
    const isExample = draft[language] === exampleQuery(from?.tables ?? [], language);
    return isExample || draft[language].trim() === '' ? next[language] : draft[language];
  };
  const known = to.parameters.flatMap(({ name }) => {
    const value = draft.values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const values = new Map([...next.values, ...known]);
  const kept = { language: draft.language, chart: draft.chart };
  return { ...next, ...kept, sql: text('sql'), lql: text('lql'), values };
}

export function isSameQuestion(one: Question, other: Question): boolean {
  return (
    one.endpoint === other.endpoint &&
    one.language === other.language &&
    one.text === other.text &&
    isSameValues(one.values, other.values)
  );
}
