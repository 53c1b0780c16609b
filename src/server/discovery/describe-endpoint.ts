import type { Endpoint, EndpointTable } from '../../definitions/endpoints/endpoint.ts';
import type { EndpointParameter } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { maxItemsOf } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { timeAt } from '../../sql/columns/time-of-rows.ts';
import { orderTexts } from '../../sql/plan/paging.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { columnNames } from '../../sql/values/column-names.ts';
import { type Column, formatType } from '../../sql/values/type.ts';
import { callOperation, type OperationVariable } from '../graphql/examples/examples.ts';
import type { EndpointShape } from '../graphql/shape/shape.ts';
import { type PageKeys, pageKeys } from '../rest/pages/page-request.ts';

/** A text or the texts of an array's elements, as REST takes them. */
type Texts = string | readonly string[];

interface ParameterDescription {
  readonly name: string;
  /** As GoogleSQL writes it. */
  readonly type: string;
  readonly required: boolean;
  readonly default: Texts | null;
  /** The allowed values; null if there is no such list. */
  readonly values: readonly string[] | null;
  readonly example: Texts | null;
  readonly description: string;
  readonly min?: string;
  readonly max?: string;
  /** In RE2's syntax, for the whole text. */
  readonly pattern?: string;
  readonly maxLength?: number;
  /** Of an array. */
  readonly maxItems?: number;
}

interface ColumnDescription {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** An endpoint, as `GET /api/endpoints` lists it. */
interface TableDescription {
  readonly name: string;
  readonly columns: readonly ColumnDescription[];
  /** The column with the time of a row. Absent if rows have no time. */
  readonly time?: string;
  /** How endpoints write it, if it is a source: `logs.events_*`. */
  readonly path?: string;
  readonly pages: PagesDescription;
}

/** The keys by which a result that can be read in pages is ordered, such as `timestamp DESC`, or why it can't be. */
type PagesDescription =
  | { readonly order: readonly string[]; readonly keys?: PageKeys }
  | { readonly refused: string };

export interface EndpointDescription {
  readonly id: string;
  readonly name: string;
  /** Differs after each change of its file or of the sources that it reads. */
  readonly version: string;
  /** The number of its version. */
  readonly number: number;
  /** The day since which clients should not call it. Absent if they may. */
  readonly deprecated?: string;
  /** The day on which it ends. Absent if that is unknown. */
  readonly sunset?: string;
  /** The older versions that are served beside it, the newest of them first. Absent if there are none. */
  readonly older?: readonly EndpointDescription[];
  readonly description: string;
  /** Empty for the endpoint over all sources, which GraphQL doesn't have. */
  readonly graphqlField: string;
  readonly maxRows: number;
  readonly exportRows: number;
  readonly cacheSeconds: number;
  readonly sandbox: boolean;
  /** Whether callers may filter and order its rows. */
  readonly filterable: boolean;
  readonly parameters: readonly ParameterDescription[];
  readonly columns: readonly ColumnDescription[];
  readonly pages: PagesDescription;
  /** The tables that the caller's ad-hoc queries may read. */
  readonly tables: readonly TableDescription[];
  /** Those of the tables that have a tail. */
  readonly liveTables: readonly string[];
  /** Why its calls fail at present: the stored rows of a source that it reads don't fit the source's file. */
  readonly unavailable?: string;
  /** Its activity in this process, if the request asks for it. */
  readonly activity?: EndpointActivity;
  /** The errors in its file, for which it is served as it was before them. Absent if there are none. */
  readonly stale?: readonly string[];
}

/** An endpoint, as `GET /api/endpoints/<name or id>` describes it. */
export interface FullEndpointDescription extends EndpointDescription {
  /** A GraphQL operation that calls it. Absent if there is none. */
  readonly graphql?: { readonly query: string; readonly variables: readonly OperationVariable[] };
  /** Its query and settings, for callers who may see them. */
  readonly definition?: EndpointDefinition;
}

/** The stored query of an endpoint, and the settings that are not in the rest of its description. */
interface EndpointDefinition {
  /** As written. */
  readonly sql: string;
  /** The endpoints and views that it reads, such as `endpoints.orders`, and the tables, such as `logs.edge_logs`, also through them. */
  readonly reads: readonly string[];
  readonly settings: Readonly<Record<string, number | boolean | string | readonly string[]>>;
}

/** The activity of an endpoint in this process. */
export interface EndpointActivity {
  readonly cachedResults: number;
  /** The last run on the engine that its callers didn't cancel. */
  readonly lastRun: {
    /** When it ended, in RFC 3339. */
    readonly at: string;
    readonly milliseconds: number;
    readonly failed: boolean;
  } | null;
}

/** What is known of an endpoint besides its shape. */
export interface EndpointState {
  readonly activity?: EndpointActivity | undefined;
  readonly stale?: readonly string[] | undefined;
  readonly unavailable?: string | undefined;
}

/** Characters of a version that are shown. */
const versionLength = 12;

/** @param shape from `callableShapes` */
export function describeEndpoint(
  shape: EndpointShape,
  { activity, stale, unavailable }: EndpointState = {},
): EndpointDescription {
  const { endpoint, field, arguments: args } = shape;
  const tables = shape.tables?.tables ?? [];
  const { id, name, version, deprecation, description, maxRows, exportRows = maxRows } = endpoint;
  const { cacheSeconds, sandbox } = endpoint;
  return {
    ...{
      id,
      name,
      version: version.slice(0, versionLength),
      number: endpoint.number,
      ...(deprecation && { deprecated: deprecation.since }),
      ...(deprecation?.sunset !== undefined && { sunset: deprecation.sunset }),
      description,
      graphqlField: endpoint.isOfSources ? '' : field,
      maxRows,
      exportRows,
      cacheSeconds,
      sandbox,
      filterable: endpoint.filterable !== undefined,
    },
    parameters: args.map(({ parameter }) => describeParameter(parameter)),
    columns: describeColumns(endpoint.plan.columns, endpoint.columns),
    pages: describePages(endpoint.plan, pageKeys(endpoint)),
    tables: tables.map(({ table }) => {
      const time = table.plan.columns[timeAt(table.plan.columns, table.time)]?.name;
      const [path] = endpoint.isOfSources ? table.plan.tables : [];
      return {
        ...{ name: table.name, columns: describeTable(table) },
        ...(time !== undefined && { time }),
        ...(path !== undefined && { path }),
        pages: describePages(table.plan),
      };
    }),
    liveTables: tables.filter(({ live }) => live.tail !== undefined).map(({ table }) => table.name),
    ...(unavailable !== undefined && { unavailable }),
    ...(activity && { activity }),
    ...(stale && { stale }),
    ...(shape.older && { older: shape.older.map((older) => describeEndpoint(older)) }),
  };
}

/**
 * @param shape from `callableShapes`
 * @param more.showsDefinition whether the caller may see the stored query
 */
export function describeFully(
  shape: EndpointShape,
  more: EndpointState & { readonly showsDefinition: boolean },
): FullEndpointDescription {
  return {
    ...describeEndpoint(shape, more),
    ...(!shape.endpoint.isOfSources && { graphql: callOperation(shape) }),
    ...(more.showsDefinition && { definition: definitionOf(shape.endpoint) }),
  };
}

/** @param keys the request keys of pages on REST, which has none for tables */
function describePages({ paging }: Plan, keys?: PageKeys): PagesDescription {
  if (paging === undefined || 'refused' in paging)
    return { refused: paging?.refused ?? 'its order is not known' };
  return { order: orderTexts(paging.order), ...(keys && { keys }) };
}

function definitionOf(endpoint: Endpoint): EndpointDefinition {
  const { liveSeconds, warmSeconds, staleIfErrorSeconds, redactPii, allowReservation } = endpoint;
  const { redact, timeoutSeconds, maxBytesPerDay, reservation } = endpoint;
  const { plan, composition, maxScanBytes } = endpoint;
  return {
    sql: plan.origin?.rewriting?.original ?? plan.sql,
    reads: [...(composition?.reads ?? []), ...plan.tables],
    settings: {
      ...{ liveSeconds, warmSeconds, staleIfErrorSeconds, redactPii, allowReservation },
      ...(redact !== undefined && redact.length > 0 && { redact }),
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      ...(maxBytesPerDay !== undefined && { maxBytesPerDay }),
      ...(maxScanBytes !== undefined && { maxScanBytes }),
      ...(reservation !== undefined && { reservation }),
    },
  };
}

function describeParameter(parameter: EndpointParameter): ParameterDescription {
  const { name, type, required, values, example, description = '' } = parameter;
  const { min, max, pattern, maxLength } = parameter;
  return {
    ...{ name, type: formatType(type), required },
    default: parameter.default ?? null,
    values: values ?? null,
    example: example ?? null,
    description,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(pattern !== undefined && { pattern }),
    ...(maxLength !== undefined && { maxLength }),
    ...(type.kind === 'ARRAY' && { maxItems: maxItemsOf(parameter) }),
  };
}

function describeTable({ plan, descriptions = new Map() }: EndpointTable): ColumnDescription[] {
  const columns = describeColumns(plan.columns);
  return columns.map((column) => ({ ...column, description: descriptions.get(column.name) ?? '' }));
}

function describeColumns(
  columns: readonly Column[],
  settings: EndpointShape['endpoint']['columns'] = new Map(),
): ColumnDescription[] {
  const names = columnNames(columns);
  return columns.map(({ name, type }, index) => ({
    name: names[index] ?? '',
    type: formatType(type),
    description: settings.get(name)?.description ?? '',
  }));
}
