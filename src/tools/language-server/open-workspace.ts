import { watchFolder } from '../../app/reload/watch-folder.ts';
import type { Clock } from '../../base/system/clock.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { canonicalFolder } from './documents.ts';
import type { FunctionList } from './endpoint-help.ts';
import { functionList } from './function-list.ts';
import type { EditedFiles } from './project/edited-files.ts';
import { type ProblemsByFile, Project } from './project/project.ts';

interface CheckLoopOptions {
  /** Rejects with the signal's reason when it is aborted. What it has found by then may be kept. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly clock: Pick<Clock, 'after'>;
  /** Milliseconds without a change after which a check begins. */
  readonly quietMs: number;
}

/** Checks again when nothing has changed for a moment. A change ends the running check: its result would be outdated. */
class CheckLoop {
  readonly #options: CheckLoopOptions;
  #timer: { cancel(): void } | undefined;
  #running: { readonly controller: AbortController; readonly end: Promise<void> } | undefined;
  #isClosed = false;

  constructor(options: CheckLoopOptions) {
    this.#options = options;
  }

  /** Asks for a check, after something has changed. */
  request(): void {
    if (this.#isClosed) return;
    const { clock, quietMs } = this.#options;
    this.#timer?.cancel();
    this.#running?.controller.abort();
    this.#timer = clock.after(quietMs, () => {
      this.#timer = undefined;
      this.#start();
    });
  }

  /** Ends the running check, and begins no other. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#running?.controller.abort();
    await this.#running?.end;
  }

  #start(): void {
    const before = this.#running?.end;
    const controller = new AbortController();
    const end = (async () => {
      // One check at a time. An aborted one ends at once.
      await before;
      try {
        controller.signal.throwIfAborted();
        await this.#options.check(controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) this.#options.onFailure(error);
      }
    })();
    this.#running = { controller, end };
  }
}

/** Milliseconds after the last change until files are checked. */
const quietMs = 150;

interface WorkspaceParts {
  readonly config: Config;
  readonly files: EditedFiles;
  readonly clock: Clock;
  readonly onChecked: ConstructorParameters<typeof Project>[0]['onChecked'];
  readonly onProblems: (problems: ProblemsByFile, signal: AbortSignal) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly warn: (message: string) => void;
}

/** A project that is checked whenever something changes in an editor or on the disk. */
export interface Workspace {
  readonly project: Project;
  readonly functions: () => Promise<FunctionList>;
  /** Asks for a check. */
  check(): void;
  close(): Promise<void>;
}

/** @throws AnalyzerUnavailableError */
export async function openWorkspace(parts: WorkspaceParts): Promise<Workspace> {
  const { config, files, clock, warn } = parts;
  const settings = {
    ...config,
    endpointsDir: canonicalFolder(config.endpointsDir),
    sourcesDir: canonicalFolder(config.sourcesDir),
  };
  const analyzer = await Analyzer.start(
    analyzerSettings(config),
    (message, fields) => warn(fields === undefined ? message : `${message}: ${fields.reason}`),
    clock,
  );
  const project = new Project({
    settings,
    files,
    newPlanner: () => new LocalPlanner(analyzer),
    onChecked: parts.onChecked,
  });
  const loop = new CheckLoop({
    check: async (signal) => parts.onProblems(await project.check(signal), signal),
    onFailure: parts.onFailure,
    clock,
    quietMs,
  });
  const folders = [...new Set([settings.endpointsDir, settings.sourcesDir])];
  const watchers = folders.map((folder) => watchFolder(folder, clock, () => loop.request()));
  return {
    project,
    functions: functionList(new LocalPlanner(analyzer), config),
    check: () => loop.request(),
    async close() {
      for (const watcher of watchers) watcher.close();
      // The check may wait for the analyzer.
      await Promise.all([loop.close(), analyzer.close()]);
    },
  };
}
