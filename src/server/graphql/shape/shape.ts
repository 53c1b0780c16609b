import type { Problem } from '../../../base/errors/problem.ts';
import type { Endpoint, EndpointTable } from '../../../definitions/endpoints/endpoint.ts';
import type { UnavailableEndpoint } from '../../../definitions/endpoints/endpoint-catalog.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';

/** The GraphQL scalars that values of GoogleSQL's types become. */
export type ScalarName =
  | 'Boolean'
  | 'Int'
  | 'Int64'
  | 'Float'
  | 'Numeric'
  | 'BigNumeric'
  | 'String'
  | 'Bytes'
  | 'LocalDate'
  | 'LocalDateTime'
  | 'LocalTime'
  | 'DateTime'
  | 'Interval'
  | 'JSON'
  | 'Geography';

/** The type of a field, without its nullability. */
export type TypeShape =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'object'; readonly object: ObjectShape }
  | { readonly kind: 'list'; readonly of: TypeShape };

/**
 * Whether the items of a list may be null. GoogleSQL's arrays in results contain no NULL, but some values of these
 * types have no form in GraphQL but null: NaN and the infinities, JSON's own null.
 */
export function itemsNullable({ of }: Extract<TypeShape, { kind: 'list' }>): boolean {
  return of.kind === 'scalar' && (of.name === 'Float' || of.name === 'JSON');
}

/** An object type of rows or records. Its values are arrays by position. */
export interface ObjectShape {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly FieldShape[];
}

export interface FieldShape {
  readonly name: string;
  /** The column or record field in SQL. */
  readonly sqlName: string;
  /** The index of its value in a row or record. */
  readonly index: number;
  readonly type: TypeShape;
  readonly nullable: boolean;
  readonly description: string;
}

/** An argument for a parameter. */
export interface ArgumentShape {
  readonly name: string;
  readonly parameter: EndpointParameter;
  /** The type of its value, or of each item if the parameter is an array. */
  readonly type: ScalarName | EnumShape;
}

export interface EnumShape {
  readonly name: string;
  readonly description: string;
  /** Each member with the allowed value that it represents. */
  readonly members: readonly { readonly name: string; readonly value: string }[];
}

/** The field by which a result is read in pages: a connection, as Relay defines it (https://relay.dev/graphql/connections.htm). */
export interface ConnectionShape {
  readonly field: string;
  readonly typeName: string;
  readonly edgeTypeName: string;
  /** The name of the argument with the number of rows. */
  readonly first: string;
  /** The name of the argument with the cursor. */
  readonly after: string;
}

/** An endpoint in GraphQL. */
export interface EndpointShape {
  readonly endpoint: Endpoint;
  readonly field: string;
  readonly arguments: readonly ArgumentShape[];
  readonly row: ObjectShape;
  readonly tables: TablesShape | undefined;
  /** Absent if its result can't be read in pages. */
  readonly connection?: ConnectionShape;
  /** Why clients should not use its fields any more, and what to use. Absent if they may. */
  readonly deprecationReason?: string;
  /** The older versions that are served beside it, the newest of them first. */
  readonly older?: readonly EndpointShape[];
  /** Whether it is one of those. */
  readonly isOlder?: true;
}

/** What the path of an older version has after the endpoint's. Empty for the newest version. */
export function versionPath({ isOlder, endpoint }: EndpointShape): string {
  return isOlder ? `/versions/${endpoint.number}` : '';
}

/** For a sandboxed endpoint: the object field with its tables, and the field for ad-hoc queries over them. */
export interface TablesShape {
  readonly field: string;
  /** The name of the ad-hoc query field. */
  readonly queryField: string;
  readonly typeName: string;
  readonly tables: readonly TableShape[];
}

/** A table of an endpoint. */
export interface TableShape {
  readonly field: string;
  readonly table: EndpointTable;
  readonly row: ObjectShape;
  /** Absent if it can't be read in pages. */
  readonly connection?: ConnectionShape;
  /** Its fields of `Subscription`. */
  readonly live: {
    readonly field: string;
    /** Absent if its rows have no time. */
    readonly tail?: { readonly field: string; readonly typeName: string };
  };
}

/** All endpoints in GraphQL: the complete schema. */
export interface SchemaShape {
  /** In their newest versions. */
  readonly endpoints: readonly EndpointShape[];
  /** The endpoint over all sources, which is not in GraphQL. */
  readonly ofSources?: EndpointShape | undefined;
  /** The errors in files of endpoints that are served as they were before, by their ids. */
  readonly stale?: ReadonlyMap<string, readonly Problem[]>;
  /** The endpoints that can't be served. */
  readonly unavailable?: readonly UnavailableEndpoint[];
}

/** All versions of all endpoints, each endpoint's newest first. */
export function allVersions({ endpoints }: Pick<SchemaShape, 'endpoints'>): readonly EndpointShape[] {
  return endpoints.flatMap((newest) => [newest, ...(newest.older ?? [])]);
}

/** The field of `Query` that contains a field for each call that can be estimated. */
export const estimatesField = 'estimates';
/** Its type. Its fields have the names and arguments of the fields of `Query` that run a query. */
export const estimatesType = 'Estimates';

/** The fields of `Query` that run a query, and those whose subfields each run one. */
export interface CallingFields {
  readonly endpoints: ReadonlySet<string>;
  readonly tables: ReadonlySet<string>;
}

export function callingFields(shape: SchemaShape): CallingFields {
  const endpoints = allVersions(shape);
  return {
    endpoints: new Set(
      endpoints.flatMap(({ field, connection, tables }) => [
        field,
        ...(connection === undefined ? [] : [connection.field]),
        ...(tables === undefined ? [] : [tables.queryField]),
      ]),
    ),
    tables: new Set([
      ...endpoints.flatMap(({ tables }) => (tables === undefined ? [] : [tables.field])),
      estimatesField,
    ]),
  };
}
