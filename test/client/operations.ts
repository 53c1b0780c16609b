import { graphql } from './generated/gql.ts';

/** Requests of a project by API area, in buckets of the interval. */
export const apiCounts = graphql(`
  query ApiCounts($interval: UsageApiCountsInterval!, $project: String!) {
    usageApiCounts(interval: $interval, project: $project) {
      timestamp
      totalRestRequests
      totalAuthRequests
    }
  }
`);

/** The newest log entries of two sources, read side by side. */
export const newestLogs = graphql(`
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
`);

/** What endpoints there are. */
export const endpointNames = graphql(`
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
`);
