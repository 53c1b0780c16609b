/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query ApiCounts($interval: UsageApiCountsInterval!, $project: String!) {\n    usageApiCounts(interval: $interval, project: $project) {\n      timestamp\n      totalRestRequests\n      totalAuthRequests\n    }\n  }\n": typeof types.ApiCountsDocument,
    "\n  query NewestLogs($project: String!, $start: String, $limit: Int!) {\n    logsAllTables(project: $project, start: $start) {\n      edgeLogs(limit: $limit) {\n        id\n        timestamp\n        metadata {\n          request {\n            method\n            path\n          }\n        }\n      }\n      postgresLogs(limit: $limit) {\n        id\n        eventMessage\n      }\n    }\n  }\n": typeof types.NewestLogsDocument,
    "\n  query EndpointNames {\n    endpoints {\n      name\n      field\n      columns {\n        field\n        graphqlType\n      }\n    }\n  }\n": typeof types.EndpointNamesDocument,
};
const documents: Documents = {
    "\n  query ApiCounts($interval: UsageApiCountsInterval!, $project: String!) {\n    usageApiCounts(interval: $interval, project: $project) {\n      timestamp\n      totalRestRequests\n      totalAuthRequests\n    }\n  }\n": types.ApiCountsDocument,
    "\n  query NewestLogs($project: String!, $start: String, $limit: Int!) {\n    logsAllTables(project: $project, start: $start) {\n      edgeLogs(limit: $limit) {\n        id\n        timestamp\n        metadata {\n          request {\n            method\n            path\n          }\n        }\n      }\n      postgresLogs(limit: $limit) {\n        id\n        eventMessage\n      }\n    }\n  }\n": types.NewestLogsDocument,
    "\n  query EndpointNames {\n    endpoints {\n      name\n      field\n      columns {\n        field\n        graphqlType\n      }\n    }\n  }\n": types.EndpointNamesDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ApiCounts($interval: UsageApiCountsInterval!, $project: String!) {\n    usageApiCounts(interval: $interval, project: $project) {\n      timestamp\n      totalRestRequests\n      totalAuthRequests\n    }\n  }\n"): typeof import('./graphql.ts').ApiCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NewestLogs($project: String!, $start: String, $limit: Int!) {\n    logsAllTables(project: $project, start: $start) {\n      edgeLogs(limit: $limit) {\n        id\n        timestamp\n        metadata {\n          request {\n            method\n            path\n          }\n        }\n      }\n      postgresLogs(limit: $limit) {\n        id\n        eventMessage\n      }\n    }\n  }\n"): typeof import('./graphql.ts').NewestLogsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query EndpointNames {\n    endpoints {\n      name\n      field\n      columns {\n        field\n        graphqlType\n      }\n    }\n  }\n"): typeof import('./graphql.ts').EndpointNamesDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
