import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../base/errors/errors.ts';
import { isCode } from '../../base/system/is-code.ts';
import { fileFailure } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { textRefused } from '../../server/operator/endpoint-files/editing-handlers.ts';
import type {
  CheckedText,
  ComparedText,
  EditedText,
  EditingParts,
  EditingWork,
  EndpointEditing,
  EndpointFile,
  QueryLiterals,
  TextSpan,
} from '../../server/operator/endpoint-files/endpoint-editing.ts';
import type { Completions } from '../../sql/editing/completion.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { compareEndpoints } from '../endpoint-diff/changes/compare-endpoints.ts';
import { changeText, verdictOf } from '../endpoint-diff/report/diff-report.ts';
import { readTestFile } from '../endpoint-tests/read-test-file.ts';
import { testFileOf } from '../endpoint-tests/test-paths.ts';
import { EndpointHelp, helpedText } from '../language-server/endpoint-help.ts';
import { functionList } from '../language-server/function-list.ts';
import { type SourceTable, sourceTable } from '../language-server/project/source-table.ts';
import { ValidPlans } from '../language-server/project/valid-plans.ts';
import { checkEdited } from './check-edited.ts';
import { CheckedCache } from './checked-cache.ts';
import { queryLiterals } from './query-literals.ts';
import { isReadable, requireReadable } from './readable-tree.ts';

/** Files that are being written at a time, at most. Of others, the last valid plan is forgotten. */
const maxFiles = 50;

/** Helps with the texts of endpoints by what the language server and `diff` know, over what a gateway serves. */
export class ProjectEditing implements EndpointEditing {
  readonly #parts: EditingParts;
  readonly #help: EndpointHelp;
  readonly #checked = new CheckedCache();
  readonly #plans = new ValidPlans(new LRUCache<string, Plan>({ max: maxFiles }));
  #tables: { readonly of: readonly Source[]; readonly tables: readonly SourceTable[] } | undefined;

  constructor(parts: EditingParts) {
    this.#parts = parts;
    this.#help = new EndpointHelp({
      functions: functionList(parts.planner, parts.config),
      analyzed: (file) => this.#plans.analyzed(file),
      tables: async () => this.#sourceTables(),
    });
  }

  async read(name: string): Promise<EndpointFile> {
    const found = this.#fileOf(name);
    if (found === undefined) throw notOfProject(name);
    const location = path.join(this.#parts.config.endpointsDir, found);
    const text = await readText(location);
    if (text === undefined) throw notOfProject(name);
    const test = testFileOf(location);
    const ofTest = await readText(test);
    return {
      ...{ file: this.#inProject(location), text },
      ...(ofTest !== undefined && { test: { file: this.#inProject(test), text: ofTest } }),
    };
  }

  async check(edited: EditedText, work: EditingWork): Promise<CheckedText> {
    const location = this.#locationOf(edited);
    const { problems, shape } = await checkEdited(location, edited.text, this.#parts, this.#checked, work);
    const plan = shape?.endpoint.plan;
    if (plan !== undefined && isReadable(plan)) this.#plans.set(location, plan);
    return { file: this.#inProject(location), problems, ...(shape && { shape }) };
  }

  checkTests(tests: EditedText): void {
    const [problem] = readTestFile(testFileOf(this.#locationOf(tests)), tests.text).problems;
    if (problem === undefined) return;
    const { line, column, text } = problem;
    throw new GatewayError('BAD_USER_INPUT', `The tests: ${text} [at ${line}:${column}]`);
  }

  async complete(edited: EditedText, position: number): Promise<Completions | undefined> {
    const location = this.#locationOf(edited);
    const text = helpedText(location, edited.text);
    return text && this.#help.complete(text, location, Math.min(position, edited.text.length), true);
  }

  async hover(
    edited: EditedText,
    position: number,
  ): Promise<(TextSpan & { readonly text: string }) | undefined> {
    const location = this.#locationOf(edited);
    const text = helpedText(location, edited.text);
    const found = text && (await this.#help.hover(text, location, Math.min(position, edited.text.length)));
    return found && { from: found.start, to: found.end, text: found.text };
  }

  literals(sql: string, work: EditingWork): Promise<QueryLiterals> {
    const { planner, sources } = this.#parts;
    return queryLiterals(sql, { planner, sources: sources(), work });
  }

  async compare(edited: EditedText, work: EditingWork): Promise<ComparedText> {
    const { problems, shape } = await this.check(edited, work);
    if (shape === undefined) throw textRefused(problems[0]);
    const after = shape.endpoint;
    const before = this.#parts
      .endpoints()
      .find((each) => each.id === after.id || path.basename(each.file) === path.basename(after.file));
    for (const each of [before, after]) if (each !== undefined) requireReadable(each.plan);
    const sources = this.#parts.sources();
    const compared = compareEndpoints(
      { ...(before && { before }), after },
      { before: sources, after: sources },
    );
    return {
      state: compared.state === 'removed' ? 'changed' : compared.state,
      verdict: verdictOf(compared),
      changes: compared.changes.map((change) => ({
        text: changeText(change),
        isOfAnswers: change.isOfAnswers,
      })),
    };
  }

  /** The path of a file of endpoints in the project: in its repository, if it is fetched from one. */
  #inProject(location: string): string {
    const { endpointsFrom } = this.#parts.config;
    const name = path.basename(location);
    if (endpointsFrom?.kind === 'git') return path.posix.join(endpointsFrom.folder, 'endpoints', name);
    const shown = shownFile(location);
    return endpointsFrom === undefined && !shown.startsWith('..') && !path.isAbsolute(shown)
      ? shown
      : path.posix.join('endpoints', name);
  }

  /** The place of the file that the text is of, or is to be. */
  #locationOf({ name }: EditedText): string {
    return path.join(this.#parts.config.endpointsDir, this.#fileOf(name) ?? `${path.basename(name)}.sql`);
  }

  /** The name of the file of an endpoint with this name or id, served or not. Undefined for those of the gateway itself. */
  #fileOf(name: string): string | undefined {
    const { endpoints, unavailable, config } = this.#parts;
    const isMeant = (each: Pick<Endpoint, 'id' | 'name'>) => each.name === name || each.id === name;
    const file = endpoints().find(isMeant)?.file ?? unavailable().find(isMeant)?.problems[0]?.file;
    if (file === undefined) return undefined;
    const isOfProject = path.resolve(path.dirname(file)) === path.resolve(config.endpointsDir);
    return isOfProject ? path.basename(file) : undefined;
  }

  #sourceTables(): readonly SourceTable[] {
    const of = this.#parts.sources();
    if (this.#tables?.of !== of) this.#tables = { of, tables: of.map(sourceTable) };
    return this.#tables.tables;
  }
}

function notOfProject(name: string): GatewayError {
  const shown = JSON.stringify(name.slice(0, 100));
  return new GatewayError('NOT_FOUND', `No file of the project's endpoints is that of ${shown}.`);
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new GatewayError('NOT_FOUND', `${shownFile(file)} can't be read (${fileFailure(error)}).`);
  }
}
