import type { Problem } from '../../base/errors/problem.ts';
import { sourcesOf } from '../../calls/live/changes-of.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { UnavailableEndpoint } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { LoadedEndpoints } from '../../definitions/endpoints/load-endpoints.ts';
import { newestFileOf } from '../../definitions/endpoints/version-files.ts';
import { versionsOf } from '../../definitions/endpoints/versions.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sourceChanges } from '../../definitions/sources/source-changes.ts';
import { buildShape } from '../../server/graphql/shape/build-shape.ts';
import type { SchemaShape } from '../../server/graphql/shape/shape.ts';

/** Endpoints and the sources that they read. */
export interface ServedFiles {
  readonly endpoints: readonly Endpoint[];
  readonly sources: readonly Source[];
}

/** The endpoints to serve, and what is wrong with the files of others. */
interface ServedEndpoints {
  readonly endpoints: readonly Endpoint[];
  readonly shape: SchemaShape;
  readonly problems: readonly Problem[];
}

/**
 * Decides for each endpoint by itself what is served: the version of its file or, if that has errors, the version from
 * before. That one is served as long as the sources that it reads are the same. All versions of an endpoint are one: if one of
 * them has errors and there is no endpoint from before, the others are served.
 *
 * @param folder that of the files: an error of it is one of all of them
 */
export function servedEndpoints(
  { endpoints, problems: found, places, declared }: LoadedEndpoints,
  sources: readonly Source[],
  before: ServedFiles,
  folder: string,
): ServedEndpoints {
  const problems = [...found];
  const isWrong = ({ file }: Pick<Endpoint, 'file'>) => problemsOf(file).length > 0;
  const problemsOf = (file: string) =>
    problems.filter((problem) => newestFileOf(problem.file) === file || problem.file === folder);
  const hasWrongFile = ({ file }: Endpoint) =>
    problems.some((problem) => problem.file === file || problem.file === folder);
  for (;;) {
    const right = endpoints.filter((endpoint) => !isWrong(endpoint));
    const stale = before.endpoints.filter(
      (old) =>
        isWrong(old) &&
        !right.some(({ id, name }) => id === old.id || name === old.name) &&
        versionsOf(old).every((version) => readsSame(version, before.sources, sources)),
    );
    const partly = endpoints
      .filter((endpoint) => isWrong(endpoint) && !hasWrongFile(endpoint))
      .filter(({ id, name }) => !stale.some((old) => id === old.id || name === old.name))
      .map((endpoint) => ({
        ...endpoint,
        older: endpoint.older?.filter((each) => !hasWrongFile(each)) ?? [],
      }));
    const build = (all: readonly Endpoint[]) => buildShape(all, places, sources);
    const all = [...right, ...partly, ...stale];
    // Of endpoints whose names clash in GraphQL, the one that was served stays.
    const known = all.filter(({ file }) => before.endpoints.some((old) => old.file === file));
    const { problems: clashes } = shapeOf([...new Set([...known, ...all])], stale, build);
    problems.push(...clashes);
    if (clashes.length > 0) continue;
    const built = shapeOf(all, stale, build);
    const served = built.endpoints;
    const ofStale = served.filter((endpoint) => stale.includes(endpoint));
    const missing = declared.filter(
      (each) => isWrong(each) && !served.some(({ id, name }) => id === each.id || name === each.name),
    );
    const unavailable = missing.map(
      ({ id, name, file }): UnavailableEndpoint => ({ id, name, problems: problemsOf(file) }),
    );
    return {
      endpoints: served,
      problems,
      shape: {
        ...built.shape,
        stale: new Map(ofStale.map(({ id, file }) => [id, problemsOf(file)])),
        unavailable,
      },
    };
  }
}

/** Builds the shape. Earlier versions whose GraphQL names others have now are left out. */
function shapeOf(
  all: readonly Endpoint[],
  stale: readonly Endpoint[],
  build: (endpoints: readonly Endpoint[]) => ReturnType<typeof buildShape>,
) {
  const built = build(all);
  const isOfStale = ({ file }: Problem) => stale.some((endpoint) => endpoint.file === newestFileOf(file));
  if (!built.problems.some(isOfStale)) return { ...built, endpoints: all };
  const left = all.filter(
    (endpoint) =>
      !stale.includes(endpoint) || !built.problems.some(({ file }) => newestFileOf(file) === endpoint.file),
  );
  return { ...build(left), endpoints: left };
}

function readsSame({ plan }: Endpoint, before: readonly Source[], after: readonly Source[]): boolean {
  const read = sourcesOf(plan);
  const ofPlan = (sources: readonly Source[]) => sources.filter(({ name }) => read.has(name));
  return sourceChanges(ofPlan(before), ofPlan(after)).length === 0;
}
