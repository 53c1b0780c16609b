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
import { type Completions, type Option, optionKinds } from '../../sql/editing/completion.ts';
import { isSameName } from '../../sql/editing/field.ts';
import { namesBefore, withEntries } from '../../sql/editing/read-parts.ts';
import { tableOfPath } from '../../sql/editing/scope.ts';
import { formatType } from '../../sql/values/type.ts';
import { EndpointHelp, helpedText } from './endpoint-help.ts';
import type { Workspace } from './open-workspace.ts';
import { type EndpointText, tokenAt } from './project/endpoint-text.ts';
import type { SourceTable } from './project/source-table.ts';

const kinds: Readonly<Record<Option['kind'], CompletionItemKind>> = {
  column: CompletionItemKind.Field,
  record: CompletionItemKind.Struct,
  parameter: CompletionItemKind.Variable,
  table: CompletionItemKind.Class,
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  operator: CompletionItemKind.Operator,
  function: CompletionItemKind.Function,
  keyword: CompletionItemKind.Keyword,
};

/** Completions as the protocol has them. They replace what is written of them. */
function completionItems(
  { from, options }: Completions,
  document: TextDocument,
  offset: number,
): CompletionItem[] {
  const range = { start: document.positionAt(from), end: document.positionAt(offset) };
  return options.map(
    ({ kind, label, detail, description, insert = label }): CompletionItem => ({
      label,
      kind: kinds[kind],
      sortText: `${optionKinds.indexOf(kind)}${label.toLowerCase()}`,
      filterText: label,
      textEdit: { range, newText: insert },
      ...(detail !== undefined && { detail }),
      ...(description !== undefined && {
        documentation: { kind: MarkupKind.Markdown, value: description },
      }),
    }),
  );
}

const startOfFile: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** A place in an open document. */
export interface DocumentPlace {
  readonly file: string;
  readonly document: TextDocument;
  readonly offset: number;
}

/** What editors ask about a place in an endpoint, in the terms of the protocol. Nothing is known of other files. */
export class LanguageFeatures {
  readonly #workspace: Pick<Workspace, 'project' | 'functions'>;
  readonly #help: EndpointHelp;

  constructor(workspace: Pick<Workspace, 'project' | 'functions'>) {
    this.#workspace = workspace;
    const { project, functions } = workspace;
    this.#help = new EndpointHelp({
      functions,
      analyzed: (file) => project.analyzed(file),
      async tables() {
        await project.loaded;
        return project.tables;
      },
    });
  }

  async hover(place: DocumentPlace): Promise<Hover | null> {
    const endpoint = this.#endpoint(place);
    const { document, file, offset } = place;
    const found = endpoint && (await this.#help.hover(endpoint, file, offset));
    if (found === undefined) return null;
    const range = { start: document.positionAt(found.start), end: document.positionAt(found.end) };
    return { contents: { kind: MarkupKind.Markdown, value: found.text }, range };
  }

  async complete(place: DocumentPlace): Promise<CompletionItem[]> {
    const endpoint = this.#endpoint(place);
    const { document, file, offset } = place;
    // Editors decide themselves when to ask.
    const completions = endpoint && (await this.#help.complete(endpoint, file, offset, true));
    return completions === undefined ? [] : completionItems(completions, document, offset);
  }

  async definition(place: DocumentPlace): Promise<Location | null> {
    const endpoint = this.#endpoint(place);
    if (endpoint === undefined) return null;
    const { project } = this.#workspace;
    await project.loaded;
    return definitionAt(endpoint, place.document, place.offset, project.tables) ?? null;
  }

  symbols(place: Omit<DocumentPlace, 'offset'>): DocumentSymbol[] {
    const endpoint = this.#endpoint(place);
    return endpoint === undefined ? [] : symbolsOf(endpoint, place.document);
  }

  #endpoint({ file, document }: Omit<DocumentPlace, 'offset'>): EndpointText | undefined {
    if (this.#workspace.project.kindOf(file) !== 'endpoint') return undefined;
    return helpedText(file, document.getText());
  }
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
  const { entries } = withEntries(endpoint.root.parts);
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
  tables: readonly SourceTable[],
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
  const path = namesBefore(endpoint.tokens, endpoint.tokens.indexOf(token) + 1);
  const table = tableOfPath(path, tables);
  if (table !== undefined) return { uri: pathToFileURL(table.file).href, range: startOfFile };
  if (path.length > 1) return undefined;
  const { entries } = withEntries(endpoint.root.parts);
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
