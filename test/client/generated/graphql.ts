/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Time range and bucket size. hourly: the last hour, by hour. daily: the last 7 days, by day. minutely: the last 60 minutes, by minute. */
export type UsageApiCountsInterval =
  /** daily */
  | 'DAILY'
  /** hourly */
  | 'HOURLY'
  /** minutely */
  | 'MINUTELY';

export type ApiCountsQueryVariables = Exact<{
  interval: UsageApiCountsInterval;
  project: string;
}>;


export type ApiCountsQuery = { usageApiCounts: Array<{ timestamp: string | null, totalRestRequests: string | null, totalAuthRequests: string | null }> | null };

export type NewestLogsQueryVariables = Exact<{
  project: string;
  start?: string | null | undefined;
  limit: number;
}>;


export type NewestLogsQuery = { logsAllTables: { edgeLogs: Array<{ id: string | null, timestamp: string | null, metadata: Array<{ request: Array<{ method: string | null, path: string | null }> | null }> | null }> | null, postgresLogs: Array<{ id: string | null, eventMessage: string | null }> | null } | null };

export type EndpointNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type EndpointNamesQuery = { endpoints: Array<{ name: string, field: string, columns: Array<{ field: string, graphqlType: string }> }> };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const ApiCountsDocument = new TypedDocumentString(`
    query ApiCounts($interval: UsageApiCountsInterval!, $project: String!) {
  usageApiCounts(interval: $interval, project: $project) {
    timestamp
    totalRestRequests
    totalAuthRequests
  }
}
    `) as unknown as TypedDocumentString<ApiCountsQuery, ApiCountsQueryVariables>;
export const NewestLogsDocument = new TypedDocumentString(`
    query NewestLogs($project: String!, $start: String, $limit: Int!) {
  logsAllTables(project: $project, start: $start) {
    edgeLogs(limit: $limit) {
      id
      timestamp
      metadata {
        request {
          method
          path
        }
      }
    }
    postgresLogs(limit: $limit) {
      id
      eventMessage
    }
  }
}
    `) as unknown as TypedDocumentString<NewestLogsQuery, NewestLogsQueryVariables>;
export const EndpointNamesDocument = new TypedDocumentString(`
    query EndpointNames {
  endpoints {
    name
    field
    columns {
      field
      graphqlType
    }
  }
}
    `) as unknown as TypedDocumentString<EndpointNamesQuery, EndpointNamesQueryVariables>;