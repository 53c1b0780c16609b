import { GatewayError } from '../../base/errors/errors.ts';
import type { CatalogFunction } from '../../sql/analyzer/catalog.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { ResultKey } from '../../sql/resolved/result-order.ts';
import type { Value } from '../../sql/values/value.ts';
import type { QueryClass } from '../classes/query-class.ts';
import type { JobSettings } from '../jobs/job.ts';
import type { LabelRule } from '../jobs/labels.ts';
import type { Composition } from './composition/readable-query.ts';
import type { EndpointParameter } from './parameters/endpoint-parameter.ts';
import type { PiiClass } from './pii-class.ts';

/** The settings of a result column. */
interface ColumnSettings {
  /** Its name in GraphQL, if it differs from the derived one. */
  readonly field?: string;
  /** Its type in GraphQL, if it differs from the derived one. */
  readonly graphqlType?: 'Int' | 'Float';
  /** Whether it can be NULL. If not, NULL is an error in GraphQL. */
  readonly nullable: boolean;
  readonly description?: string;
}

/** An entry of a stored query's WITH clause, which callers can read separately. */
export interface EndpointTable {
  readonly name: string;
  /** Reads all of its rows, newest first if they have a time. */
  readonly plan: Plan;
  /** What its columns contain, by their names, if it is a source. */
  readonly descriptions?: ReadonlyMap<string, string>;
  /** The column with the time of a row, if it isn't `timestamp`. */
  readonly time?: string;
  /** The declared parameters that restrict each of its rows. */
  readonly boundBy: ReadonlySet<string>;
}

/** Until when an endpoint is served that clients should not call any more. Days are of UTC, as `2027-01-31`. */
export interface Deprecation {
  readonly since: string;
  /** The day on which it ends, if that is known. */
  readonly sunset?: string;
}

/** A stored query with its settings. */
export interface Endpoint {
  /** A UUID in lower case. */
  readonly id: string;
  readonly name: string;
  /** Changes with everything that affects its results: its file, and the columns and the retention of its sources. */
  readonly version: string;
  /** The number of this version: the newest has the highest one. */
  readonly number: number;
  /** How many older versions are to be served beside this one. */
  readonly keep?: number;
  /** The older versions that are served beside this one, the newest of them first. They have its id and its name. */
  readonly older?: readonly Endpoint[];
  /** Set if clients should not call it any more. Older versions have it. */
  readonly deprecation?: Deprecation;
  readonly description: string;
  /** The maximum number of rows of a result. Further rows are cut off. */
  readonly maxRows: number;
  /** The maximum number of rows of an export, such as CSV or Parquet. `maxRows` if absent. */
  readonly exportRows?: number;
  /** Seconds after which its queries time out, unless the gateway's own deadline is sooner. */
  readonly timeoutSeconds?: number;
  /** The class of its queries, unless the caller's key or request has a less urgent one. */
  readonly class?: QueryClass;
  readonly parameters: readonly EndpointParameter[];
  /** What happens to REST calls with parameters that it doesn't declare, if not what the gateway's settings say. */
  readonly unknownParameters?: 'ignore' | 'reject';
  /** Whether callers may query its CTEs by `sql` or `lql`. */
  readonly sandbox: boolean;
  /** Present if callers may filter and order its result: the order that its query gives it, empty if there is none. */
  readonly filterable?: { readonly order: readonly ResultKey[] };
  /** Whether only keys that may read all sources can call it. */
  readonly operatorsOnly?: boolean;
  /** Whether IP addresses are redacted for all callers. */
  readonly redactPii: boolean;
  /** The other classes that are redacted for all callers. */
  readonly redact?: readonly PiiClass[];
  /** Seconds for which a result may be reused; 0 means never. */
  readonly cacheSeconds: number;
  /** Seconds between two results of a live answer, at least. */
  readonly liveSeconds: number;
  /** Seconds between background refreshes of a cached result; 0 means none. */
  readonly warmSeconds: number;
  /** Sets of parameters whose results are refreshed from the start, even without requests. */
  readonly warm: readonly ReadonlyMap<string, Value>[];
  /** Seconds for which an expired result may replace one that can't be computed; 0 means never. */
  readonly staleIfErrorSeconds: number;
  /** How its queries run on an engine with jobs. */
  readonly job: JobSettings;
  /** The labels of its jobs. */
  readonly labels: readonly LabelRule[];
  /** The reservation of its jobs, `projects/P/locations/L/reservations/R`. */
  readonly reservation?: string;
  /** Whether callers may choose another one. */
  readonly allowReservation: boolean;
  /** The most bytes that a query of it may read. Unlimited if absent. */
  readonly maxScanBytes?: number;
  /** Bytes that its queries may be billed per day (UTC). Unlimited if absent. */
  readonly maxBytesPerDay?: number;
  /** Its query, typed by the analyzer: the text, the result columns, the parameters' types. */
  readonly plan: Plan;
  /** The functions that its query may call besides the built-in ones. */
  readonly functions?: readonly CatalogFunction[];
  /** The file that contains it. */
  readonly file: string;
  /** The settings of result columns, by name. */
  readonly columns: ReadonlyMap<string, ColumnSettings>;
  /** Names in GraphQL that differ from the derived ones. */
  readonly graphql: { readonly field?: string; readonly tables?: string; readonly query?: string };
  /** The tables of a sandboxed endpoint. Empty for every other. */
  readonly tables: readonly EndpointTable[];
  /** The endpoints and views that its query reads. Absent if there are none. */
  readonly composition?: Composition;
  /** Whether its tables are the sources themselves. It is not in GraphQL. */
  readonly isOfSources?: true;
  /** Whether it is only tried, and not served. */
  readonly isDraft?: true;
}

/** The positions of endpoints' settings and queries in their files, for errors that are found later. */
export interface EndpointPlaces {
  /**
   * The line and column of a setting, such as `['parameters', 'project']`, or of the query for the empty path. For an
   * absent setting, the position of its nearest parent.
   */
  locate(endpoint: Endpoint, path: readonly string[]): { readonly line: number; readonly column: number };
}

/** The timeout of the endpoint's queries in milliseconds, including queue time. */
export function timeoutMsOf({ timeoutSeconds = Number.POSITIVE_INFINITY }: Endpoint): number {
  return timeoutSeconds * 1000;
}

/** The error of a query that timed out. */
export function queryTimeout(timeoutMs: number): GatewayError {
  return new GatewayError('QUERY_TIMEOUT', `The query timed out after ${timeoutMs} ms.`);
}
