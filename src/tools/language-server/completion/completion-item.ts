import { type CompletionItem, CompletionItemKind, MarkupKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Completions, Option } from './option.ts';

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
export function completionItems(
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
