import type { Problem } from '../../../base/errors/problem.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Output } from '../../../base/terminal/output.ts';
import type { Planner } from '../../../calls/planner/planner.ts';
import type { Endpoint, EndpointPlaces } from '../../../definitions/endpoints/endpoint.ts';
import type { Config, EngineSettings } from '../../../definitions/settings/config.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { ApiMeter } from '../../../engines/bigquery/api/api-meter.ts';
import type { Engine, EngineRequest, Estimate } from '../../../engines/engine/engine.ts';
import type { SliceFacts } from '../../../engines/engine/slice-facts.ts';
import type { Analyzer } from '../../../sql/analyzer/analyzer.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import type { OpenedEngine } from './opened-engine.ts';

/**
 * Everything in which an engine differs from the others. `registry.ts` lists the engines: no other code compares their
 * names. Commands load it, so that its module has few imports.
 */
export interface EngineDefinition extends EngineSettings {
  /** Whether queries cost money, by the bytes that they read. It can say beforehand how many these are. */
  readonly isBilled: boolean;
  /** Absent if the rows are in the store of `DATA_DIR`. */
  readonly elsewhere?: RowsElsewhere;
  /** The columns that it can't store. */
  unstorable(source: Source): Promise<readonly UnstorableColumn[]>;
  /**
   * Compares its settings with the sources.
   *
   * @throws ConfigError
   */
  checkSources(config: Config, sources: readonly Source[]): void;
  /**
   * As `Engine.prepare`, without opening the engine.
   *
   * @throws UnsupportedError naming a construct that the engine lacks; GatewayError for a query that nobody may run
   */
  checkPlan(plan: Plan): Promise<void>;
  /** Which aggregations it merges from slices. Absent if it has none. */
  slices?(plan: Plan, sources: readonly Source[], planner: Pick<Planner, 'prepareText'>): Promise<SliceFacts>;
  /** What happens to endpoints that it can't run. */
  readonly unsupported: {
    /** Whether the gateway starts all the same, and tells their callers the reason. */
    readonly isServed: boolean;
    /** @param reason as `checkPlan` says it */
    describe(reason: string): string;
  };
  /** Whether queries can call a function that the analyzer knows, by its upper-case name. */
  hasFunction(name: string): boolean;
  /** Starts what can be started before the gateway's modules are loaded. */
  launch(): LaunchedEngine;
  /** For `check --engine`: asks the engine about files without running anything. Undefined if it only said why not. */
  checkFiles(
    config: Config,
    files: CheckedFiles,
    output: Pick<Output, 'err'>,
  ): Promise<CheckedEngine | undefined>;
  /** Why `test --dry-run` is not for it. Absent if it can check queries without running them. */
  readonly dryRunRefusal?: string;
  /** For `explain`. A text says why the engine can't tell. */
  readonly explain: {
    /** The statements that it runs. */
    statements(call: ExplainedCall): Promise<readonly string[]>;
    /** A statement as people read it. As it is, if absent. */
    readable?(sql: string, plan: Plan): Promise<string>;
    readonly plans: string | ((call: ExplainedCall, sql: readonly string[]) => Promise<readonly string[]>);
    /** What it would read. */
    readonly cost: string | ((call: ExplainedCall) => Promise<Estimate>);
  };
}

/** What commands do with the rows of the store. */
export type StoreTask = 'import' | 'export' | 'delete' | 'back up' | 'restore' | 'check' | 'change';

/** An engine whose rows are not in the store of `DATA_DIR`. */
export interface RowsElsewhere {
  /** Where they are, for people. */
  readonly place: string;
  /** Why this can't be done with its rows, and what to do instead. */
  refusal(task: StoreTask): string;
  /** Why queries can't take another time for the current one. */
  readonly clockRefusal: string;
  /** Connects commands with it. */
  connect(config: Config, planner: Pick<Planner, 'prepareText'>, log: Log): Promise<ConnectedEngine>;
  /** The settings of a gateway that uses an emulator of it. Absent if there is no emulator. */
  emulated?(
    config: Config,
    emulator: { readonly url: string; readonly projectId: string; readonly datasetId: string },
  ): Config;
}

/** An engine, as commands use it. Disposing it ends its requests. */
export interface ConnectedEngine extends AsyncDisposable {
  readonly engine: Engine;
  /** Checks a query without running it. Fails like `Engine.run`. Absent if the engine can't. */
  dryRun?(request: EngineRequest): Promise<DryRun>;
  /** For tests of endpoints: the engine with these rows in place of its own, until it is closed. Absent if it can't. */
  overRows?(analyzer: Analyzer, rows: GivenRows): Engine;
}

export interface DryRun {
  readonly bytesProcessed: number;
  /** The differences between the columns of its result and those of the plan. */
  readonly drift: readonly string[];
}

export interface GivenRows {
  /** The rows of a source as a relation in GoogleSQL. */
  readonly rowsSql: (source: string) => string;
  /** What queries take for the current time, in microseconds since the epoch. */
  readonly now: bigint;
}

/** An engine that is being started. */
export interface LaunchedEngine {
  /** @throws ConfigError, StoreError */
  open(config: Config, parts: EngineParts): Promise<OpenedEngine>;
  /** Ends what is left of it, opened or not. */
  end(): Promise<void>;
}

export interface EngineParts {
  readonly sources: readonly Source[];
  /** Prepares queries before they are sent. Not used while the engine is opened. */
  readonly planner: Pick<Planner, 'prepareText'>;
  readonly log: Log;
  readonly meter?: ApiMeter | undefined;
  /** Called each second with the longest delay of the event loop of the engine's process, in seconds. */
  readonly onLoopDelay?: ((seconds: number) => void) | undefined;
}

/** A column that can't be stored. */
export interface UnstorableColumn {
  /** The names of the records around it, and its own. */
  readonly path: readonly string[];
  /** A sentence that names the source and the column. */
  readonly text: string;
}

export interface CheckedFiles {
  readonly planner: Planner;
  readonly sources: readonly Source[];
  readonly endpoints: readonly Endpoint[];
  readonly places: EndpointPlaces;
}

/** What an engine says of the files. */
export interface CheckedEngine {
  /** The bytes that it would read, by the names of endpoints that it accepts. */
  readonly bytes: ReadonlyMap<string, number>;
  /** Its disagreements. */
  readonly problems: readonly Problem[];
}

/** A call that is explained. */
export interface ExplainedCall {
  readonly config: Config;
  readonly planner: Planner;
  readonly sources: readonly Source[];
  readonly request: EngineRequest;
  readonly log: Log;
}
