import { type CompletionItem, CompletionItemKind, MarkupKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Completions, type Option, optionKinds } from '../../../sql/editing/completion.ts';

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
export function completionItems(
  { from, options }: Completions,
  document: TextDocument,
  offset: number,
): CompletionItem[] {
  const range = { start: document.positionAt(from), end: document.positionAt(offset) };
  return options.map(({ kind, label, detail, description, insert = label }): CompletionItem => {
    return {
      label,
      kind: kinds[kind],
      sortText: `${optionKinds.indexOf(kind)}${label.toLowerCase()}`,
      filterText: label,
      textEdit: { range, newText: insert },
      ...(detail !== undefined && { detail }),
      ...(description !== undefined && {
        documentation: { kind: MarkupKind.Markdown, value: description },
      }),
    };
  });
}
