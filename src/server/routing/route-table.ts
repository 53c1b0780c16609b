import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { GatewayError } from '../../base/errors/errors.ts';
import type { ApiName } from '../http/request/api-name.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { Answer } from '../http/response/answer.ts';
import { errorAnswer } from '../http/response/error-answer.ts';
import type { Route } from '../http/route.ts';

/** Longer paths would take too much memory. */
const longestRecent = 200;

/** All routes, in the order in which they are matched. */
export class RouteTable {
  readonly #lines: readonly Line[];
  /** By path, for paths without a variable part. */
  readonly #fixed: ReadonlyMap<string, Place>;
  readonly #varying: readonly Line[];
  /** Paths that were asked for lately. */
  readonly #recent = new LRUCache<string, Place>({
    max: 1_000,
    memoMethod: (path) => placeIn(this.#varying, path),
  });

  constructor(routes: readonly Route[]) {
    this.#lines = routes.filter(({ answer }) => answer !== undefined).flatMap(linesOf);
    this.#varying = this.#lines.filter(({ path }) => path.includes('{'));
    const fixed = this.#lines.map(({ path }) => path).filter((path) => !path.includes('{'));
    const all = fixed.flatMap((path) => [path, `${path}/`]);
    this.#fixed = new Map(all.map((path) => [path, placeIn(this.#lines, path)]));
  }

  /** The paths of all routes, spellings included, as OpenAPI writes them, with their methods. */
  get routes(): readonly Pick<Route, 'path' | 'methods'>[] {
    return this.#lines.map(({ path, route: { methods } }) => ({ path, methods }));
  }

  /** @param path still percent-encoded, without the query string */
  at(path: string): Place {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return fixed;
    return path.length > longestRecent ? placeIn(this.#varying, path) : this.#recent.memo(path);
  }
}

function placeIn(lines: readonly Line[], path: string): Place {
  const routes: Route[] = [];
  let segment = '';
  let version: string | undefined;
  for (const line of lines) {
    if (!path.startsWith(line.begin)) continue;
    const matched = line.pattern.exec(path);
    if (matched === null) continue;
    routes.push(line.route);
    segment = matched[1] ?? segment;
    version = matched[2];
  }
  return new Place(routes, segment, version);
}

/** The routes of a path. */
class Place {
  readonly #routes: readonly Route[];
  readonly #segment: string;
  readonly #version: string | undefined;
  /** Gives the API and the form of errors. */
  readonly #last: Route | undefined;

  constructor(routes: readonly Route[], segment: string, version: string | undefined) {
    this.#routes = routes;
    this.#segment = segment;
    this.#version = version;
    this.#last = routes.at(-1);
  }

  /** The API that requests count for in metrics, including refused ones. */
  get api(): ApiName {
    return this.#last?.api ?? 'other';
  }

  /** The path as OpenAPI writes it; undefined if there is no route. */
  get path(): string | undefined {
    return this.#last && shown(this.#last.path);
  }

  /** Whether requests are exempt from the limit per address. */
  get isUncounted(): boolean {
    return this.#last?.isUncounted === true;
  }

  /** The answer to a request that is refused before its route, in the form of its API. */
  refusal(error: GatewayError, context: Pick<RequestContext, 'request'>): Answer {
    return (this.#last?.refusal ?? errorAnswer)(error, context);
  }

  /** The route of a request; undefined if the path has none for such requests. */
  find(request: IncomingMessage): Found | undefined {
    const routes = this.#routesFor(request);
    const last = routes.at(-1);
    if (last === undefined) return undefined;
    const found = routes.find(({ methods }) => methods.includes(request.method ?? ''));
    const parts = { segment: this.#segment, version: this.#version };
    return { route: found ?? last, hasMethod: found !== undefined, ...parts };
  }

  /** The methods of the path for such requests, as in the header `Allow`: `GET, HEAD, OPTIONS`. */
  allowedMethods(request: IncomingMessage): string {
    const methods = this.#routesFor(request).flatMap((route) => route.methods);
    return [...new Set([...methods, 'OPTIONS'])].join(', ');
  }

  #routesFor(request: IncomingMessage): readonly Route[] {
    return this.#routes.filter(({ accepts }) => accepts === undefined || accepts(request));
  }
}

/** The route of a request. */
interface Found {
  /** The last one of the path if none has the method. */
  readonly route: Route;
  readonly hasMethod: boolean;
  /** The part of the path at `{name}`, still percent-encoded. */
  readonly segment: string;
  /** The part of the path at `{version}`, as written. */
  readonly version: string | undefined;
}

/** One of the paths of a route. */
interface Line {
  readonly route: Route;
  /** As OpenAPI writes it. */
  readonly path: string;
  /** The path up to its variable part. It is compared first, because most paths differ in it. */
  readonly begin: string;
  readonly pattern: RegExp;
}

function linesOf(route: Route): Line[] {
  return [route.path, ...(route.spellings ?? [])].map((path) => {
    const pattern = path
      .replaceAll('.', '\\.')
      .replace('{/}', '/?')
      .replaceAll(/\{\w+\}/g, '([^/]+)');
    return {
      route,
      path: shown(path),
      begin: path.split('{', 1)[0] ?? '',
      pattern: new RegExp(`^${pattern}$`),
    };
  });
}

function shown(path: string): string {
  return path.replace('{/}', '');
}
