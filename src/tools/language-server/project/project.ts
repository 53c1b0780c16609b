import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { engineOf } from '../../../app/engines/registry.ts';
import { checkEndpoints, checkSources, engineRefusals } from '../../../app/schema/load-schema.ts';
import { compareProblems, formatProblem, type Problem } from '../../../base/errors/problem.ts';
import type { Planner } from '../../../calls/planner/planner.ts';
import type { CheckedFile } from '../../../definitions/endpoints/plan-query-file.ts';
import type { PlannedText, StoredText } from '../../../definitions/endpoints/plan-text.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { buildShape } from '../../../server/graphql/shape/build-shape.ts';
import { AnalyzerUnavailableError } from '../../../sql/analyzer/error.ts';
import { unpackPlan } from '../../../sql/plan/plan.ts';
import type { EditedFiles } from './edited-files.ts';
import { type SourceTable, sourceTable } from './source-table.ts';
import { testProblems } from './test-problems.ts';
import { type AnalyzedPlan, ValidPlans } from './valid-plans.ts';

/** The settings that decide which files a project has, and what is an error in them. */
export type ProjectSettings = Pick<
  Config,
  | 'endpointsDir'
  | 'sourcesDir'
  | 'dataDir'
  | 'engine'
  | 'recordCalls'
  | 'recordCallsDays'
  | 'dataRetentionDays'
>;

/** Problems by the absolute path of their file or folder. */
export type ProblemsByFile = ReadonlyMap<string, readonly Problem[]>;

interface ProjectParts {
  readonly settings: ProjectSettings;
  readonly files: EditedFiles;
  /** Makes a planner. One keeps the catalogs of all sources that it has seen. */
  readonly newPlanner: () => Pick<Planner, 'planText'>;
  /**
   * Gets the problems of an open endpoint file as soon as they are known. At the start, and after a change of a source,
   * other files may take seconds.
   */
  readonly onChecked: (file: string, problems: readonly Problem[]) => void;
}

/** The endpoints, their tests and the sources of a folder, as an editor shows them. Only what has changed is checked again. */
export class Project {
  readonly settings: ProjectSettings;
  readonly #parts: ProjectParts;
  readonly #checked = new Map<string, CheckedFile>();
  readonly #plans = new ValidPlans();
  /** Problems of endpoint files that other files have to do with, as of the last complete check. */
  #shared: ProblemsByFile = new Map();
  #sources: readonly Source[] = [];
  #tables: readonly SourceTable[] = [];
  #planner: Pick<Planner, 'planText'>;
  readonly #loaded = Promise.withResolvers<void>();

  constructor(parts: ProjectParts) {
    this.#parts = parts;
    this.settings = parts.settings;
    this.#planner = parts.newPlanner();
  }

  /** Resolves when the sources have been read for the first time. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** The tables of the sources, each as it last was without errors. */
  get tables(): readonly SourceTable[] {
    return this.#tables;
  }

  /** Which kind of the project's files this is, if it is one. */
  kindOf(file: string): 'endpoint' | 'source' | undefined {
    const { endpointsDir, sourcesDir } = this.settings;
    const isIn = (folder: string) => path.dirname(file) === path.resolve(folder);
    if (isIn(endpointsDir) && file.endsWith('.sql')) return 'endpoint';
    return isIn(sourcesDir) && file.endsWith('.json') ? 'source' : undefined;
  }

  /** The last valid plan of an endpoint file, and the names in its query. */
  analyzed(file: string): AnalyzedPlan | undefined {
    return this.#plans.analyzed(file);
  }

  /**
   * Checks all files, as the command `check` does.
   *
   * @throws the signal's reason when it is aborted
   */
  async check(signal: AbortSignal): Promise<ProblemsByFile> {
    const { settings, files, onChecked } = this.#parts;
    const { sources, problems: sourceProblems } = await this.#loadSources();
    const failures = new Set<string>();
    const { checkPlan } = engineOf(settings);
    const planner = { planText: (text: StoredText) => planOrMistake(this.#planner, text, signal, failures) };
    const reading = {
      files,
      checked: {
        get: (location: string) => this.#checked.get(path.resolve(location)),
        set: (location: string, checked: CheckedFile) => {
          const file = path.resolve(location);
          const { query } = checked.file;
          // An analyzer that failed may do better the next time.
          if (!query.problems.some(({ text }) => failures.has(text))) this.#checked.set(file, checked);
          if (query.plan !== undefined) this.#plans.set(file, query.plan);
          if (!files.isOpen(file)) return;
          onChecked(file, [...ownProblems(checked, settings), ...(this.#shared.get(file) ?? [])]);
        },
      },
    };
    const load = (from: Parameters<typeof checkEndpoints>[4]) =>
      // The tree that the check reads is not kept with the plan: those of all endpoints would take too much memory.
      checkEndpoints(settings, planner, sources, (plan) => checkPlan(unpackPlan(plan.packed)), from);
    // At the start, all others may take a minute. What is found is kept.
    await load({ ...reading, files: files.onlyOpen });
    const loaded = await load(reading);
    signal.throwIfAborted();
    const { problems: unspeakable } = buildShape(loaded.endpoints, loaded.places, sources);
    const { endpoints } = loaded;
    const inTests = await testProblems(settings.endpointsDir, { sources, endpoints, files });
    signal.throwIfAborted();
    const found = byFile([
      ...sourceProblems,
      ...loaded.problems,
      ...engineRefusals(settings, loaded.refusals),
      ...unspeakable,
      ...inTests,
    ]);
    this.#shared = new Map(
      [...found].map(([file, problems]) => {
        const checked = this.#checked.get(file);
        const own = new Set(checked && ownProblems(checked, settings).map(formatProblem));
        return [file, problems.filter((problem) => !own.has(formatProblem(problem)))];
      }),
    );
    return found;
  }

  /** A source whose file has errors at the moment stays as it was, so that endpoints are not full of errors as well. */
  async #loadSources() {
    const { settings, files } = this.#parts;
    const { sources, problems } = await checkSources(settings, files);
    const broken = new Set(problems.map(({ file }) => path.resolve(file)));
    const valid = new Set(sources.map(({ name }) => name));
    const earlier = this.#sources.filter(
      ({ name, file }) => !valid.has(name) && broken.has(path.resolve(file)),
    );
    const before = this.#sources;
    this.#sources = [...sources, ...earlier].sort((a, b) => (a.name < b.name ? -1 : 1));
    if (!isDeepStrictEqual(before, this.#sources)) {
      this.#planner = this.#parts.newPlanner();
      this.#tables = this.#sources.map(sourceTable);
    }
    this.#loaded.resolve();
    return { sources: this.#sources, problems };
  }
}

/** The problems of an endpoint file that other endpoints have nothing to do with. */
function ownProblems(
  {
    file: {
      source: { comment },
      warm,
      query,
    },
  }: CheckedFile,
  settings: Pick<ProjectSettings, 'engine'>,
): readonly Problem[] {
  const refusals = engineRefusals(settings, query.refusals);
  return [...comment.problems, ...warm.problems, ...query.problems, ...refusals];
}

/** A text on which the analyzer fails has an error. The other files are checked. */
async function planOrMistake(
  planner: Pick<Planner, 'planText'>,
  text: StoredText,
  signal: AbortSignal,
  failures: Set<string>,
): Promise<PlannedText> {
  try {
    return await planner.planText(text, signal);
  } catch (error) {
    if (!(error instanceof AnalyzerUnavailableError)) throw error;
    failures.add(error.message);
    return { uses: undefined, tables: [], mistake: { message: error.message, position: undefined } };
  }
}

function byFile(problems: readonly Problem[]): ProblemsByFile {
  const found = new Map<string, Problem[]>();
  for (const problem of [...problems].sort(compareProblems)) {
    const file = path.resolve(problem.file);
    const others = found.get(file);
    if (others === undefined) found.set(file, [problem]);
    else others.push(problem);
  }
  return found;
}
