import { pathToFileURL } from 'node:url';
import {
  type CompletionItem,
  CompletionItemKind,
  type DocumentSymbol,
  type Hover,
  type Location,
  MarkupKind,
  type Range,
  SymbolKind,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Source } from '../../definitions/sources/source.ts';
import { formatType } from '../../sql/values/type.ts';
import { completeQuery } from './completion/complete-query.ts';
import { completeSettings } from './completion/complete-settings.ts';
import type { Completions, Option } from './completion/option.ts';
import { hoverInQuery } from './hover/hover-query.ts';
import type { Workspace } from './open-workspace.ts';
import { type EndpointText, endpointText, tokenAt } from './project/endpoint-text.ts';
import type { Project } from './project/project.ts';
import { isSameName } from './query/field.ts';
import { pathTo } from './query/name-at.ts';
import { sourceOfPath } from './query/resolve-path.ts';
import { withEntries } from './query/with-entries.ts';
import { settingsPlace } from './settings/settings-place.ts';
import { settingSchema, valuesOf } from './settings/settings-schema.ts';

/** Columns come before functions, and those before keywords. */
const kinds: Readonly<Record<Option['kind'], readonly [CompletionItemKind, number]>> = {
  column: [CompletionItemKind.Field, 0],
  record: [CompletionItemKind.Struct, 0],
  parameter: [CompletionItemKind.Variable, 1],
  table: [CompletionItemKind.Class, 2],
  key: [CompletionItemKind.Property, 2],
  value: [CompletionItemKind.EnumMember, 2],
  function: [CompletionItemKind.Function, 3],
  keyword: [CompletionItemKind.Keyword, 4],
};

/** Completions as the protocol has them. They replace what is written of them. */
function completionItems(
  { from, options }: Completions,
  document: TextDocument,
  offset: number,
): CompletionItem[] {
  const range = { start: document.positionAt(from), end: document.positionAt(offset) };
  return options.map(({ kind, label, detail, description, insert = label }): CompletionItem => {
    const [itemKind, order] = kinds[kind];
    return {
      label,
      kind: itemKind,
      sortText: `${order}${label.toLowerCase()}`,
      filterText: label,
      textEdit: { range, newText: insert },
      ...(detail !== undefined && { detail }),
      ...(description !== undefined && {
        documentation: { kind: MarkupKind.Markdown, value: description },
      }),
    };
  });
}

const startOfFile: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Longer endpoints get no help: no query is so long, and reading it at every key would take too much time. */
const maxLength = 1024 * 1024;

/** A place in an open document. */
export interface DocumentPlace {
  readonly file: string;
  readonly document: TextDocument;
  readonly offset: number;
}

/** What editors ask about a place in an endpoint. Nothing is known of other files. */
export class LanguageFeatures {
  readonly #workspace: Pick<Workspace, 'project' | 'functions'>;

  constructor(workspace: Pick<Workspace, 'project' | 'functions'>) {
    this.#workspace = workspace;
  }

  async hover(place: DocumentPlace): Promise<Hover | null> {
    const endpoint = this.#endpoint(place);
    if (endpoint === undefined) return null;
    const { document, offset } = place;
    const found = await this.#described(endpoint, place);
    if (found === undefined) return null;
    const range = { start: document.positionAt(found.start), end: document.positionAt(found.end) };
    return offset > found.end ? null : { contents: { kind: MarkupKind.Markdown, value: found.text }, range };
  }

  async complete(place: DocumentPlace): Promise<CompletionItem[]> {
    const endpoint = this.#endpoint(place);
    if (endpoint === undefined) return [];
    const { file, document, offset } = place;
    const analyzed = this.#workspace.project.analyzed(file);
    if (isInSettings(endpoint, offset)) {
      const completions = completeSettings(endpoint, offset, analyzed?.plan.columns ?? []);
      return completions === undefined ? [] : completionItems(completions, document, offset);
    }
    const { functions, signatures } = await this.#workspace.functions();
    const facts = { ...(await this.#known(file)), functions, signatures };
    const completions = completeQuery(endpoint, offset, facts);
    return completions === undefined ? [] : completionItems(completions, document, offset);
  }

  async definition(place: DocumentPlace): Promise<Location | null> {
    const endpoint = this.#endpoint(place);
    if (endpoint === undefined) return null;
    const { sources } = await this.#known(place.file);
    return definitionAt(endpoint, place.document, place.offset, sources) ?? null;
  }

  symbols(place: Omit<DocumentPlace, 'offset'>): DocumentSymbol[] {
    const endpoint = this.#endpoint(place);
    return endpoint === undefined ? [] : symbolsOf(endpoint, place.document);
  }

  async #described(endpoint: EndpointText, { file, offset }: DocumentPlace) {
    if (isInSettings(endpoint, offset)) return hoverInSettings(endpoint.text, offset);
    const known = await this.#known(file);
    const { signatures } = await this.#workspace.functions();
    const analyzed = this.#workspace.project.analyzed(file);
    const isCurrent = analyzed !== undefined && originalText(analyzed.plan) === queryOf(endpoint);
    const names = isCurrent ? analyzed.names : undefined;
    const found = hoverInQuery(endpoint, offset, { ...known, names, functions: signatures });
    return found && { text: found.text, start: found.token.start, end: found.token.end };
  }

  #endpoint({ file, document }: Omit<DocumentPlace, 'offset'>): EndpointText | undefined {
    if (this.#workspace.project.kindOf(file) !== 'endpoint') return undefined;
    const text = document.getText();
    return text.length > maxLength ? undefined : endpointText(file, text);
  }

  async #known(file: string) {
    const { project } = this.#workspace;
    await project.loaded;
    return { sources: project.sources, analyzed: project.analyzed(file)?.names.entries ?? new Map() };
  }
}

type PlannedText = NonNullable<ReturnType<Project['analyzed']>>['plan'];

function originalText({ sql, origin }: PlannedText): string {
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

/** The parameters and the entries of the WITH clause of an endpoint, for an outline. */
function symbolsOf(endpoint: EndpointText, document: TextDocument): DocumentSymbol[] {
  const parameters = [...(endpoint.comment.parameters ?? [])].map(([name, type]): DocumentSymbol => {
    const range = rangeOfParameter(name, endpoint, document);
    return {
      name: `@${name}`,
      detail: formatType(type),
      kind: SymbolKind.Variable,
      range,
      selectionRange: range,
    };
  });
  const { entries } = withEntries(endpoint.query.parts);
  const ofEntries = entries.map(({ name, token, body }): DocumentSymbol => {
    const start = document.positionAt(token.start);
    return {
      name,
      kind: SymbolKind.Class,
      range: { start, end: document.positionAt(body.end + 1) },
      selectionRange: { start, end: document.positionAt(token.end) },
    };
  });
  return [...parameters, ...ofEntries];
}

/** Where a name is defined: the file of a source, the settings of a parameter, the entry of a WITH clause. */
function definitionAt(
  endpoint: EndpointText,
  document: TextDocument,
  offset: number,
  sources: readonly Source[],
): Location | undefined {
  const token = tokenAt(endpoint.tokens, offset);
  if (token === undefined) return undefined;
  const { uri } = document;
  if (token.kind === 'parameter') {
    const wanted = token.text.slice(1);
    const name = [...(endpoint.comment.parameters ?? [])].find(([other]) => isSameName(other, wanted))?.[0];
    if (name === undefined) return undefined;
    return { uri, range: rangeOfParameter(name, endpoint, document) };
  }
  if (token.kind !== 'word' && token.kind !== 'name') return undefined;
  const path = pathTo(endpoint.tokens, token);
  const source = sourceOfPath(path, sources);
  if (source !== undefined) return { uri: pathToFileURL(source.file).href, range: startOfFile };
  if (path.length > 1) return undefined;
  const { entries } = withEntries(endpoint.query.parts);
  const entry = entries.find(({ name }) => isSameName(name, path[0] ?? ''));
  if (entry === undefined) return undefined;
  const { start, end } = entry.token;
  return { uri, range: { start: document.positionAt(start), end: document.positionAt(end) } };
}

/** Where the settings declare a parameter: its name, without quotes. */
function rangeOfParameter(
  name: string,
  { text, comment }: Pick<EndpointText, 'text' | 'comment'>,
  document: TextDocument,
): Range {
  const key = comment.offsetOf(['parameters', name]);
  const start = /["']/.test(text.charAt(key)) ? key + 1 : key;
  return { start: document.positionAt(start), end: document.positionAt(start + name.length) };
}

interface DescribedKey {
  /** In Markdown. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Says what the key at an offset of the settings comment means. */
function hoverInSettings(text: string, offset: number): DescribedKey | undefined {
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
