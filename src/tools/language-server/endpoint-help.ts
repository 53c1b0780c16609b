import { declaredParameters } from '../../definitions/endpoints/declared-parameters.ts';
import { completeSql } from '../../sql/editing/complete-sql.ts';
import type { Completions, Described } from '../../sql/editing/completion.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { formatType } from '../../sql/values/type.ts';
import { completeSettings } from './completion/complete-settings.ts';
import { hoverInQuery } from './hover/hover-query.ts';
import { describeParameter } from './markdown/describe.ts';
import { type EndpointText, endpointText } from './project/endpoint-text.ts';
import type { SourceTable } from './project/source-table.ts';
import type { AnalyzedPlan } from './project/valid-plans.ts';
import { settingsPlace } from './settings/settings-place.ts';
import { settingSchema, valuesOf } from './settings/settings-schema.ts';

/** The functions that a query may call. */
export interface FunctionList {
  /** Those that the engine has. */
  readonly functions: readonly Described[];
  /** What all functions are, in Markdown, by upper-case name. */
  readonly descriptions: ReadonlyMap<string, string>;
}

/** What is known around the text of an endpoint. */
export interface HelpSources {
  readonly tables: () => Promise<readonly SourceTable[]>;
  readonly functions: () => Promise<FunctionList>;
  /** The last valid plan of a file. */
  readonly analyzed: (file: string) => AnalyzedPlan | undefined;
}

/** Something in a text that was described, in UTF-16 units from the start of the file. */
export interface DescribedSpan {
  /** In Markdown. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longer endpoints get no help: no query is so long, and reading it at every key would take too much time. */
const maxLength = 1024 * 1024;

/** The text of an endpoint's file, if it can get help. */
export function helpedText(file: string, text: string): EndpointText | undefined {
  return text.length > maxLength ? undefined : endpointText(file, text);
}

/** Says what the parts of an endpoint's file are, and what can be written in it. Offsets are UTF-16 units from the start of the file. */
export class EndpointHelp {
  readonly #sources: HelpSources;

  constructor(sources: HelpSources) {
    this.#sources = sources;
  }

  async hover(endpoint: EndpointText, file: string, offset: number): Promise<DescribedSpan | undefined> {
    const found = await this.#described(endpoint, file, offset);
    return found === undefined || offset > found.end ? undefined : found;
  }

  /** @param isExplicit whether it was asked for: otherwise, nothing is offered where a word has not begun */
  async complete(
    endpoint: EndpointText,
    file: string,
    offset: number,
    isExplicit: boolean,
  ): Promise<Completions | undefined> {
    if (isInSettings(endpoint, offset)) {
      const columns = this.#sources.analyzed(file)?.plan.columns ?? [];
      return completeSettings(endpoint, offset, columns);
    }
    const { functions } = await this.#sources.functions();
    const names = { ...(await this.#known(file)), functions, parameters: parametersOf(endpoint) };
    return completeSql(endpoint, offset, names, isExplicit);
  }

  async #described(endpoint: EndpointText, file: string, offset: number): Promise<DescribedSpan | undefined> {
    if (isInSettings(endpoint, offset)) return hoverInSettings(endpoint.text, offset);
    const known = await this.#known(file);
    const { descriptions } = await this.#sources.functions();
    const analyzed = this.#sources.analyzed(file);
    const isCurrent = analyzed !== undefined && originalText(analyzed.plan) === queryOf(endpoint);
    const names = isCurrent ? analyzed.names : undefined;
    const found = hoverInQuery(endpoint, offset, { ...known, names, descriptions });
    return found && { text: found.text, start: found.token.start, end: found.token.end };
  }

  async #known(file: string) {
    const tables = await this.#sources.tables();
    return { tables, analyzed: this.#sources.analyzed(file)?.names.entries ?? new Map() };
  }
}

function originalText({ sql, origin }: Pick<Plan, 'sql' | 'origin'>): string {
  return origin?.rewriting?.original ?? sql;
}

function queryOf({ text, comment }: EndpointText): string {
  return text.slice(comment.queryStart);
}

/** Whether an offset is in the comment with the settings. Without one, everything is the query. */
function isInSettings({ text, comment: { queryStart } }: EndpointText, offset: number): boolean {
  if (queryStart > 0) return offset < queryStart - 1 && offset >= text.indexOf('/*') + 2;
  // A comment that is not closed yet.
  const start = /^(?:\s|--[^\n]*\n|#[^\n]*\n)*\/\*/.exec(text)?.[0].length;
  return start !== undefined && offset >= start;
}

/** The parameters of an endpoint. Settings with errors tell their types only. */
function parametersOf({ comment: { settings, parameters } }: EndpointText): readonly Described[] {
  if (settings === undefined) {
    return [...(parameters ?? [])].map(([name, type]) => ({ name, detail: formatType(type) }));
  }
  return declaredParameters(settings.parameters).map((parameter) => ({
    name: parameter.name,
    detail: formatType(parameter.type),
    description: describeParameter(parameter),
  }));
}

/** Says what the key at an offset of the settings comment means. */
function hoverInSettings(text: string, offset: number): DescribedSpan | undefined {
  const isOfWord = (character: string | undefined) => character !== undefined && /[\w$]/.test(character);
  let [start, end] = [offset, offset];
  while (isOfWord(text[start - 1])) start -= 1;
  while (isOfWord(text[end])) end += 1;
  if (start === end || !/^\s*:/.test(text.slice(end, end + 10))) return undefined;
  const place = settingsPlace(text, text.indexOf('/*') + 2, end);
  if (place?.what !== 'key') return undefined;
  const key = text.slice(start, end);
  const schema = settingSchema([...place.path, key]);
  if (schema?.description === undefined) return undefined;
  const values = valuesOf(schema);
  const notes = [
    ...(values.length > 0 ? [`One of ${values.join(', ')}.`] : []),
    ...(schema.default === undefined ? [] : [`Default: ${JSON.stringify(schema.default)}`]),
  ];
  return { text: [`**${key}**: ${schema.description}`, ...notes].join('\n\n'), start, end };
}
