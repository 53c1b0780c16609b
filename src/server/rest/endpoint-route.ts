/** The parts of a path that calls an endpoint. */
export interface EndpointRoute {
  /** The endpoint's name or UUID, still percent-encoded. */
  readonly segment: string;
  /** Whether the segment is a name even if it has the form of a UUID. */
  readonly byNameOnly: boolean;
  readonly methods: readonly string[];
}

const current = /^\/api\/endpoints\/query\/([^/]+)\/?$/;
const byName = /^\/api\/endpoints\/query\/name\/([^/]+)\/?$/;
const legacy = /^\/endpoints\/query\/([^/]+)\/?$/;

/** The paths, as OpenAPI writes them. */
export const endpointRoutes = [
  '/api/endpoints/query/{endpoint}',
  '/api/endpoints/query/name/{endpoint}',
  '/endpoints/query/{endpoint}',
];

const readMethods = ['GET', 'HEAD', 'OPTIONS'];
const allMethods = ['GET', 'POST', 'HEAD', 'OPTIONS'];

/** Parses a path. Undefined when it is not the path of an endpoint. */
export function matchEndpointRoute(path: string): EndpointRoute | undefined {
  const segment = current.exec(path)?.[1];
  if (segment !== undefined) return { segment, byNameOnly: false, methods: allMethods };
  const name = byName.exec(path)?.[1];
  if (name !== undefined) return { segment: name, byNameOnly: true, methods: readMethods };
  const old = legacy.exec(path)?.[1];
  if (old !== undefined) return { segment: old, byNameOnly: false, methods: readMethods };
  return undefined;
}
