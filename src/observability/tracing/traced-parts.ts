import type { Engine } from '../../engines/engine.ts';
import type { EntryStore } from '../../executor/cache/entry-store.ts';
import type { Executor } from '../../executor/executor.ts';
import type { AdHocQueries } from '../../sandbox/ad-hoc-query.ts';
import type { Tracing } from './tracing.ts';

/** What answers calls, with a span for each. */
export function tracedExecutor(executor: Executor, tracing: Tracing): Executor {
  return {
    execute: (call) =>
      tracing.span('execute', { endpoint: call.endpoint.name }, async (note) => {
        const result = await executor.execute(call);
        note({ cache: result.cache.status, collapsed: result.cache.collapsed });
        return result;
      }),
    estimate: (call) =>
      tracing.span('estimate', { endpoint: call.endpoint.name }, () => executor.estimate(call)),
  };
}

/** An engine, with a span for each run. Of those who share a run, it is in the trace of the first. */
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

/** Where entries are kept, with a span for each that is looked for. */
export function tracedStore(store: EntryStore, tracing: Tracing): EntryStore {
  const get: EntryStore['get'] = (question) =>
    tracing.span('cache lookup', { endpoint: question.endpoint.name }, async (note) => {
      const found = await store.get(question);
      note({ found: found !== undefined });
      return found;
    });
  return withMethods(store, { get });
}

/** What plans the queries of callers, with a span for each. */
export function tracedOwnQueries(queries: AdHocQueries, tracing: Tracing): AdHocQueries {
  return {
    plan: (endpoint, own, signal) =>
      tracing.span('plan', { endpoint: endpoint.name, language: own.language }, () =>
        queries.plan(endpoint, own, signal),
      ),
    known: (endpoint, own) => queries.known(endpoint, own),
  };
}

/** The object with some other methods; those that it keeps are still called on itself. */
function withMethods<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
