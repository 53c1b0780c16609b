import type { BoardPanel } from '../../api/boards.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import type { Call } from '../answer/answer.ts';
import { wholeTimeSteps } from '../chart/time-steps.ts';
import { type RangeChoice, rangeAt, type TimeRange, type Zone } from '../time/time-range.ts';

/** The span that a board shows, and how charts divide it. */
export interface BoardWindow extends TimeRange {
  /** Seconds of a bucket. */
  readonly step: number;
  /** Days in UTC from the start until now, with today. */
  readonly days: number;
}

const buckets = 60;
const dayMs = 86_400_000;

/**
 * The span of a choice. One that moves with the clock begins and ends with a bucket: calls within the time of a bucket are the
 * same, so that their answers can be cached, and a live answer has new rows.
 *
 * @param now in milliseconds since the epoch
 */
export function windowAt(choice: RangeChoice, now: number, zone: Zone): BoardWindow {
  const { from, to } = rangeAt(choice, now, zone);
  const seconds = (to - from) / 1000;
  const step = wholeTimeSteps.find((each) => each >= seconds / buckets) ?? Math.ceil(seconds / buckets);
  const size = step * 1000;
  const start = choice.kind === 'last' ? Math.floor(from / size) * size : from;
  const end = choice.kind !== 'fixed' && to === now ? Math.ceil((to + 1) / size) * size : to;
  const days = Math.max(1, Math.floor(now / dayMs) - Math.floor(start / dayMs) + 1);
  return { from: start, to: end, step, days };
}

/** What the placeholders of a board stand for. */
export interface BoardValues {
  readonly window: BoardWindow;
  readonly variables: ReadonlyMap<string, string>;
}

const placeholder = /\$\{([^{}]*)\}/g;

/** The call of a panel, or of a query for the values of a variable, with what is chosen. */
export function callOf(
  called: Pick<BoardPanel, 'endpoint' | 'parameters' | 'sql' | 'lql'>,
  values: BoardValues,
  endpoints: readonly Endpoint[],
): Call {
  const { endpoint: name = 'gateway.tables', parameters = {}, sql, lql } = called;
  const types = new Map(
    endpoints.find((endpoint) => endpoint.name === name)?.parameters.map(({ name, type }) => [name, type]),
  );
  const filled = new Map<string, string | readonly string[]>();
  for (const [parameter, given] of Object.entries(parameters)) {
    const type = types.get(parameter) ?? 'STRING';
    const text = (one: string) => parameterText(one, values, type);
    const value = typeof given === 'string' ? text(given) : given.map(text);
    // Nothing is chosen: the parameter is left out.
    if (value !== '' || given === '') filled.set(parameter, value);
  }
  const query =
    sql !== undefined
      ? ({ language: 'sql', text: queryText(sql, values) } as const)
      : lql !== undefined
        ? ({ language: 'lql', text: lql } as const)
        : undefined;
  return { endpoint: { name }, values: filled, query };
}

function parameterText(text: string, values: BoardValues, type: string): string {
  return text.replace(placeholder, (_, name: string) => {
    const time = timeOf(name, values);
    if (time === undefined) return String(numberOf(name, values) ?? values.variables.get(name) ?? '');
    if (type === 'DATE') return time.slice(0, 10);
    return type === 'DATETIME' ? time.slice(0, -1) : time;
  });
}

function queryText(sql: string, values: BoardValues): string {
  return sql.replace(placeholder, (_, name: string) => {
    const number = numberOf(name, values);
    if (number !== undefined) return String(number);
    // JSON's texts are literals of GoogleSQL, too.
    return JSON.stringify((timeOf(name, values) ?? values.variables.get(name) ?? '').toWellFormed());
  });
}

function timeOf(name: string, { window }: BoardValues): string | undefined {
  if (name === 'from') return new Date(window.from).toISOString();
  return name === 'to' ? new Date(window.to).toISOString() : undefined;
}

function numberOf(name: string, { window }: BoardValues): number | undefined {
  return name === 'step' || name === 'days' ? window[name] : undefined;
}
