import * as z from 'zod/mini';

// The Content-Security-Policy forbids code made at run time, with which zod is faster.
z.config({ jitless: true });

const texts = z.union([z.string(), z.array(z.string())]);

const parameter = z.object({
  name: z.string(),
  /** As GoogleSQL writes it. */
  type: z.string(),
  required: z.boolean(),
  default: z.nullable(texts),
  values: z.nullable(z.array(z.string())),
  example: z.nullable(texts),
  description: z.string(),
  min: z.optional(z.string()),
  max: z.optional(z.string()),
  pattern: z.optional(z.string()),
  maxLength: z.optional(z.number()),
  maxItems: z.optional(z.number()),
});

const column = z.object({ name: z.string(), type: z.string(), description: z.string() });

export const activity = z.object({
  cachedResults: z.number(),
  lastRun: z.nullable(
    z.object({
      at: z.string(),
      milliseconds: z.number(),
      failed: z.boolean(),
    }),
  ),
});

/** Whether a result can be read in pages: by which keys of a request, or why not. */
const pages = z.object({
  keys: z.optional(z.object({ limit: z.string(), after: z.string() })),
  refused: z.optional(z.string()),
});

export const endpoint = z.object({
  id: z.string(),
  name: z.string(),
  /** Another one after each change. */
  version: z.string(),
  description: z.string(),
  graphqlField: z.string(),
  maxRows: z.number(),
  exportRows: z.number(),
  cacheSeconds: z.number(),
  sandbox: z.boolean(),
  pages,
  parameters: z.array(parameter),
  columns: z.array(column),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(column),
      /** The column with the time of a row. */
      time: z.optional(z.string()),
      /** How endpoints write it, if it is a source. */
      path: z.optional(z.string()),
    }),
  ),
  /** The tables that have a tail. */
  liveTables: z.array(z.string()),
  activity: z.optional(activity),
  /** The errors in its file. It is served as it was before them. */
  stale: z.optional(z.array(z.string())),
});

/** An endpoint whose file has errors, so that it is not served. */
const unavailable = z.object({ id: z.string(), name: z.string(), errors: z.array(z.string()) });

const fullEndpoint = z.extend(endpoint, {
  /** A GraphQL operation that calls it, with the variable of each parameter. Absent if there is none. */
  graphql: z.optional(
    z.object({
      query: z.string(),
      variables: z.array(
        z.object({
          parameter: z.string(),
          name: z.string(),
          /** For an enum, the member of each value. */
          members: z.optional(z.record(z.string(), z.string())),
        }),
      ),
    }),
  ),
  /** For unrestricted keys. */
  definition: z.optional(
    z.object({ sql: z.string(), reads: z.array(z.string()), settings: z.record(z.string(), z.unknown()) }),
  ),
});

export type Endpoint = z.infer<typeof endpoint>;
export type FullEndpoint = z.infer<typeof fullEndpoint>;
export type Parameter = z.infer<typeof parameter>;
export type EndpointColumn = z.infer<typeof column>;
export type Activity = z.infer<typeof activity>;

export type UnavailableEndpoint = z.infer<typeof unavailable>;

const list = z.object({ endpoints: z.array(endpoint), unavailable: z.optional(z.array(unavailable)) });

/** All endpoints that a key may call, and those that can't be served. */
export interface Endpoints {
  readonly endpoints: readonly Endpoint[];
  readonly unavailable: readonly UnavailableEndpoint[];
}

/** The answer of `GET /api/endpoints`. */
export function parseEndpoints(json: unknown): Endpoints {
  const { endpoints, unavailable = [] } = list.parse(json);
  return { endpoints, unavailable };
}

/** The answer of `GET /api/endpoints/<name>`. */
export function parseFullEndpoint(json: unknown): FullEndpoint {
  return fullEndpoint.parse(json);
}
