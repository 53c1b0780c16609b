import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { EndpointShape } from '../../graphql/shape/shape.ts';

/** A tool of one endpoint. It runs the stored query, or an ad-hoc query over the endpoint's tables. */
export interface EndpointTool {
  /** The name of its field in GraphQL. */
  readonly name: string;
  readonly shape: EndpointShape;
  /** Whether it runs ad-hoc queries. */
  readonly isAdHoc: boolean;
  /** Its arguments: the endpoint's parameters, `sql` and `lql` for ad-hoc queries, and {@link maxRowsParameter}. */
  readonly parameters: readonly EndpointParameter[];
}

/** The languages of ad-hoc queries, as arguments. */
const queryParameters: readonly EndpointParameter[] = [
  {
    name: 'sql',
    type: { kind: 'STRING' },
    required: false,
    description: 'The query in GoogleSQL: one SELECT over the tables of this tool. Give either this or lql.',
  },
  {
    name: 'lql',
    type: { kind: 'STRING' },
    required: false,
    description: 'The query in LQL, a short query language for log rows. Give either this or sql.',
  },
];

/** Rows that a tool returns if the caller doesn't ask for another number. */
const defaultRows = 100;

/**
 * The argument with the maximum number of rows to return. Undefined if the endpoint has a parameter of that name: the
 * maximum is the default then.
 */
export function maxRowsParameter({ parameters, maxRows }: Endpoint): EndpointParameter | undefined {
  const name = 'max_rows';
  if (parameters.some((parameter) => parameter.name === name)) return undefined;
  return {
    name,
    type: { kind: 'INT64' },
    required: false,
    min: '1',
    max: String(maxRows),
    default: String(rowsByDefault({ maxRows })),
    description: 'How many rows to show at most. All are counted in total_rows.',
  };
}

/**
 * The argument with a cursor. Undefined if the tool's rows can't be read in pages, or the endpoint has a parameter of that
 * name.
 */
export function cursorParameter(
  { parameters, plan }: Endpoint,
  isAdHoc: boolean,
): EndpointParameter | undefined {
  const name = 'cursor';
  const hasPages = isAdHoc || (plan.paging !== undefined && 'order' in plan.paging);
  if (!hasPages || parameters.some((parameter) => parameter.name === name)) return undefined;
  return {
    name,
    type: { kind: 'STRING' },
    required: false,
    description:
      'To read all rows in pages of max_rows rows: empty for the first page, then next_cursor of the page before.',
  };
}

/** The maximum number of rows without an argument for it. */
export function rowsByDefault({ maxRows }: Pick<Endpoint, 'maxRows'>): number {
  return Math.min(defaultRows, maxRows);
}

/**
 * The tools for endpoints: one for each stored query, and one for the ad-hoc queries of an endpoint with tables.
 *
 * @param shapes the endpoints that the caller may call, with the tables that it may read
 */
export function toolsOf(shapes: readonly EndpointShape[]): readonly EndpointTool[] {
  return shapes.flatMap((shape) => {
    const { endpoint, field, tables } = shape;
    const own = shape.arguments.map(({ parameter }) => parameter);
    const maxRows = maxRowsParameter(endpoint);
    const last = (isAdHoc: boolean) =>
      [maxRows, cursorParameter(endpoint, isAdHoc)].filter((each) => each !== undefined);
    const stored = { name: field, shape, isAdHoc: false, parameters: [...own, ...last(false)] };
    if (tables === undefined || tables.tables.length === 0) return [stored];
    const parameters = [...own, ...queryParameters, ...last(true)];
    return [stored, { name: tables.queryField, shape, isAdHoc: true, parameters }];
  });
}

/** Advice to a model whose rows are too large for a result of the tool. */
export function howToShorten({ isAdHoc, shape: { tables } }: EndpointTool): string {
  if (isAdHoc) return 'Select fewer columns or fields, aggregate, or shorten texts by SUBSTR.';
  const hasQueries = tables !== undefined && tables.tables.length > 0;
  return hasQueries ? `Select fewer columns by ${tables.queryField}.` : 'Narrow the result by the arguments.';
}
