import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ExecutionResult, type GraphQLSchema, graphql } from 'graphql';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { never } from '../../../../src/base/async/race-with-abort.ts';
import { ownAccount } from '../../../../src/base/fairness/account.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';
import type { Bounds } from '../../../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../../../src/calls/access/caller/caller.ts';
import { cacheMemory } from '../../../../src/calls/executor/create-executor.ts';
import { LocalPlanner } from '../../../../src/calls/planner/local-planner.ts';
import type { Planner } from '../../../../src/calls/planner/planner.ts';
import { loadEndpoints } from '../../../../src/definitions/endpoints/load-endpoints.ts';
import { memoryBudgets } from '../../../../src/definitions/settings/memory-budgets.ts';
import { parseSource } from '../../../../src/definitions/sources/parse-source.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { checkPlan as duckDbChecks } from '../../../../src/engines/duckdb/run/check-plan.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { AnswerMaking } from '../../../../src/server/graphql/execution/answer-making.ts';
import type { AnsweredCall, GraphqlContext } from '../../../../src/server/graphql/execution/context.ts';
import { buildSchema } from '../../../../src/server/graphql/schema/build-schema.ts';
import { buildShape } from '../../../../src/server/graphql/shape/build-shape.ts';
import type { SchemaShape } from '../../../../src/server/graphql/shape/shape.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import type { Plan } from '../../../../src/sql/plan/plan.ts';
import { callerNamed } from '../../../calls/executor/support/caller.ts';
import { callParts } from '../../../support/call-of.ts';
import { localExecutor } from '../../../support/local-executor.ts';

/** The text of an endpoint's file, apart from its id. Its name is `name` unless it is set. */
export interface EndpointText {
  readonly settings?: string;
  readonly sql: string;
}

export interface LoadOptions {
  /** The schemas of sources that the queries may name, by name. They have no rows to run on. */
  readonly sources?: Readonly<Record<string, readonly object[]>>;
  /** What the engine can run; by default what the embedded one can. */
  readonly checkPlan?: (plan: Plan) => Promise<void>;
}

export interface LoadedFiles {
  readonly shape: SchemaShape;
  /** Each as `<name of the endpoint>:LINE:COL: text`. */
  readonly problems: readonly string[];
}

export interface Answer extends ExecutionResult {
  /** The answer as it is sent. */
  readonly json: string;
  readonly calls: readonly AnsweredCall[];
}

/** Loads endpoint files as the gateway does, and runs operations on an embedded engine without any rows. */
export class EndpointFiles {
  readonly #folder: string;
  readonly #analyzer: Analyzer;
  readonly #engine: DuckDbEngine;
  readonly #close: () => Promise<void>;
  #count = 0;

  private constructor(folder: string, analyzer: Analyzer, engine: DuckDbEngine, close: () => Promise<void>) {
    this.#folder = folder;
    this.#analyzer = analyzer;
    this.#engine = engine;
    this.#close = close;
  }

  static async open(): Promise<EndpointFiles> {
    const folder = await mkdtemp(path.join(tmpdir(), 'gw-schema-'));
    const analyzer = await Analyzer.start();
    const dataDir = path.join(folder, 'data');
    const store = await openStore({ dataDir, sources: [], memoryLimit: '500MB', threads: 1 });
    const now = () => BigInt(Date.parse('2025-01-31T10:00:00Z')) * 1000n;
    const engine = await DuckDbEngine.open({ store, now });
    return new EndpointFiles(folder, analyzer, engine, async () => {
      await engine.close();
      await store.close();
      await analyzer.close();
      await rm(folder, { recursive: true });
    });
  }

  close(): Promise<void> {
    return this.#close();
  }

  async load(
    endpoints: Readonly<Record<string, EndpointText>>,
    { sources: schemas = {}, checkPlan = duckDbChecks }: LoadOptions = {},
  ): Promise<LoadedFiles> {
    const sources = Object.entries(schemas).map(([name, schema]) => sourceOf(name, schema));
    const catalog = sourceCatalog(sources);
    const folder = path.join(this.#folder, `endpoints${this.#count++}`);
    await mkdir(folder);
    const names = Object.keys(endpoints);
    for (const [index, [name, { settings = '', sql }]] of Object.entries(endpoints).entries()) {
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const text = `/*\nid: ${id}\nname: ${JSON.stringify(name)}\n${settings}\n*/\n${sql}\n`;
      await writeFile(path.join(folder, `${String(index).padStart(3, '0')}.sql`), text);
    }
    const planner = new LocalPlanner(this.#analyzer);
    const planText: Planner['planText'] = (text) => planner.planText(text);
    const loaded = await loadEndpoints(folder, { planText, catalog, checkPlan });
    const { shape, problems } = buildShape(loaded.endpoints, loaded.places, sources);
    return {
      shape,
      problems: [...loaded.problems, ...problems].map(
        ({ file, line, column, text }) =>
          `${names[Number.parseInt(path.basename(file), 10)]}:${line}:${column}: ${text}`,
      ),
    };
  }

  /** The schema of endpoints that have no mistake. */
  async schema(
    endpoints: Readonly<Record<string, EndpointText>>,
    options?: LoadOptions,
  ): Promise<GraphQLSchema> {
    const { shape, problems } = await this.load(endpoints, options);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return buildSchema(shape);
  }

  async run(
    schema: GraphQLSchema,
    source: string,
    variableValues?: Readonly<Record<string, unknown>>,
    bounds: Bounds = {},
  ): Promise<Answer> {
    const answered: AnsweredCall[] = [];
    const settings = readConfig({});
    const executor = localExecutor({
      engine: this.#engine,
      memory: cacheMemory(memoryBudgets(settings)),
      clock: systemClock,
      settings,
    });
    const contextValue: GraphqlContext = {
      calls: callParts(executor),
      keyHolder: { name: 'test', redact: false, scopes: everyScope, ...bounds },
      payer: callerNamed('test'),
      signal: new AbortController().signal,
      redactPii: false,
      logFields: {},
      baseUrl: 'http://gateway.example',
      making: new AnswerMaking({ account: ownAccount, signal: never, hold: () => undefined }),
      answered,
    };
    const result = await graphql({
      schema,
      source,
      ...(variableValues && { variableValues }),
      contextValue,
    });
    return { ...result, json: JSON.stringify(result.data), calls: answered };
  }
}

/** A source with what every source has, and further columns. */
function sourceOf(name: string, schema: readonly object[]): Source {
  const needed = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
  ];
  const source = parseSource(name, `${name}.json`, JSON.stringify([...needed, ...schema]));
  if ('columns' in source) return source;
  throw new Error(source.map(({ text }) => text).join('\n'));
}
