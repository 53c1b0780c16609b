import type { JobSettings } from '../engines/job.ts';
import type { PiiClass } from '../redaction/pii-class.ts';
import type { Plan } from '../sql/plan.ts';
import type { ScalarType } from '../sql/type.ts';
import type { Value } from '../sql/value.ts';
import type { LabelRule } from './label-rules.ts';

/** A parameter that an endpoint declares. */
export interface EndpointParameter {
  /** As the stored query writes it after the `@`. Matched exactly, letter case included. */
  readonly name: string;
  readonly type: ScalarType;
  /** Whether a call without it, or with an empty text, is refused. */
  readonly required: boolean;
  /** The texts, when there are only some. */
  readonly values?: readonly string[];
  readonly description?: string;
  /** Its name in GraphQL, when that doesn't follow from its own. */
  readonly argument?: string;
  /** A value for examples, as text. */
  readonly example?: string;
}

/** What is set for a result column. */
interface ColumnSettings {
  /** Its name in GraphQL, when that doesn't follow from its own. */
  readonly field?: string;
  /** Whether NULL is a value of it; where it isn't, NULL is an error in GraphQL. */
  readonly nullable: boolean;
  readonly description?: string;
}

/** An entry of a stored query's WITH clause, which callers may read by itself. */
export interface EndpointTable {
  readonly name: string;
  /** All of its rows, newest first where it has a `timestamp`. */
  readonly plan: Plan;
  /** The parameters on which each of its rows depends, as they are declared. */
  readonly boundBy: ReadonlySet<string>;
}

/** A stored query that can be called, with its settings. */
export interface Endpoint {
  /** A UUID in lower case. */
  readonly id: string;
  readonly name: string;
  /** Changes with everything that its results depend on: its file, and the columns of its sources. */
  readonly version: string;
  readonly description: string;
  /** Rows beyond this many are cut off. */
  readonly maxRows: number;
  /** Seconds after which its queries are given up, if the gateway's own deadline isn't sooner. */
  readonly timeoutSeconds?: number;
  readonly parameters: readonly EndpointParameter[];
  /** Whether callers may query its CTEs by `sql` or `lql`. */
  readonly sandbox: boolean;
  /** Whether IP addresses are redacted for all callers. */
  readonly redactPii: boolean;
  /** What else is. */
  readonly redact?: readonly PiiClass[];
  /** How long a result may be reused; 0 is not at all. */
  readonly cacheSeconds: number;
  /** How often a reused result is refreshed in the background; 0 is never. */
  readonly warmSeconds: number;
  /** Sets of parameters whose results are refreshed from the start on, whether anybody asks for them or not. */
  readonly warm: readonly ReadonlyMap<string, Value>[];
  /** How long after its time a result may stand in for one that can't be made; 0 is not at all. */
  readonly staleIfErrorSeconds: number;
  /** How its queries run on an engine that runs jobs. */
  readonly job: JobSettings;
  /** The labels of its jobs. */
  readonly labels: readonly LabelRule[];
  /** The reservation that its jobs run in, `projects/P/locations/L/reservations/R`. */
  readonly reservation?: string;
  /** Whether callers may choose another one. */
  readonly allowReservation: boolean;
  /** Bytes that its queries may be billed in a day (UTC); any number without it. */
  readonly maxBytesPerDay?: number;
  /** Its query, typed by the analyzer: the text, the result columns, the parameters' types. */
  readonly plan: Plan;
  /** The file that it was read from. */
  readonly file: string;
  /** What is set for result columns, by their names. */
  readonly columns: ReadonlyMap<string, ColumnSettings>;
  /** Names in GraphQL that don't follow from the endpoint's own. */
  readonly graphql: { readonly field?: string; readonly tables?: string; readonly query?: string };
  /** Of a sandboxed endpoint; empty for every other. */
  readonly tables: readonly EndpointTable[];
}
