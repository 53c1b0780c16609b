import type { Log } from '../../../base/terminal/log.ts';
import type { AdHocQueries } from '../../../calls/call/ad-hoc-query.ts';
import type { EntryStore } from '../../../calls/executor/entries/entry-store.ts';
import type { Executor } from '../../../calls/executor/executor.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import type { Engine } from '../../../engines/engine/engine.ts';
import type { Tracing } from './tracing.ts';

/** Traces requests if OpenTelemetry's variables are set. Its libraries are loaded only then. */
export async function openTracing(
  { tracing }: Pick<Config, 'tracing'>,
  log: Log,
): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(tracing, log);
}

/** Adds a span to each call of an executor. */
export function tracedExecutor(executor: Executor, tracing: Tracing): Executor {
  return {
    execute: (call, run) =>
      tracing.span('execute', { endpoint: call.endpoint.name }, async (note) => {
        const result = await executor.execute(call, run);
        note({ cache: result.cache.status, collapsed: result.cache.collapsed });
        return result;
      }),
    stream: (call, run, take) =>
      tracing.span('export', { endpoint: call.endpoint.name }, () => executor.stream(call, run, take)),
    estimate: (call, run) =>
      tracing.span('estimate', { endpoint: call.endpoint.name }, () => executor.estimate(call, run)),
    profile: (call, run) =>
      tracing.span('profile', { endpoint: call.endpoint.name }, () => executor.profile(call, run)),
  };
}

/** Adds a span to each run of an engine. A shared run belongs to the trace of its first caller. */
export function tracedEngine(engine: Engine, tracing: Tracing): Engine {
  const run: Engine['run'] = (request) =>
    tracing.span('engine run', { engine: engine.name }, async (note) => {
      const result = await engine.run(request);
      const { rows, engineMs, truncated, cost } = result;
      note({ rows: rows.count, engine_ms: engineMs, truncated });
      if (cost !== undefined) note({ bytes_processed: cost.bytesProcessed });
      if (cost?.bytesBilled !== undefined) note({ bytes_billed: cost.bytesBilled });
      return result;
    });
  return withMethods(engine, { run });
}

/** Adds a span to each lookup in a store. */
export function tracedStore(store: EntryStore, tracing: Tracing): EntryStore {
  const get: EntryStore['get'] = (key) =>
    tracing.span('cache lookup', { endpoint: key.endpoint.name }, async (note) => {
      const found = await store.get(key);
      note({ found: found !== undefined });
      return found;
    });
  return withMethods(store, { get });
}

/** Adds a span to each planned ad-hoc query. */
export function tracedAdHocQueries(queries: AdHocQueries, tracing: Tracing): AdHocQueries {
  return {
    plan: (endpoint, query, account, signal) =>
      tracing.span('plan', { endpoint: endpoint.name, language: query.language }, () =>
        queries.plan(endpoint, query, account, signal),
      ),
    known: (endpoint, query) => queries.known(endpoint, query),
  };
}

/** Replaces methods of an object. The others are still called on the object itself. */
function withMethods<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
