import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { completeLql } from '../../../sql/editing/complete-lql.ts';
import { completeSql } from '../../../sql/editing/complete-sql.ts';
import { type Names, type Option, optionKinds } from '../../../sql/editing/completion.ts';
import { queryText } from '../../../sql/editing/query-text.ts';
import type { EditorService } from './editor-service.ts';

const icons: Readonly<Record<Option['kind'], string>> = {
  column: 'property',
  record: 'namespace',
  table: 'class',
  parameter: 'variable',
  key: 'property',
  value: 'constant',
  operator: 'constant',
  function: 'function',
  keyword: 'keyword',
};

/** The completions of a language for CodeMirror. */
export function completionSource(language: 'sql' | 'lql', names: () => Names) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const text = state.doc.toString();
    const completions =
      language === 'sql'
        ? completeSql(queryText(text), pos, names(), explicit)
        : completeLql(text, pos, names(), explicit);
    if (completions === undefined || completions.options.length === 0) return null;
    // Nothing is offered for a word that is complete, so that Enter begins a line.
    const whole = new Set(completions.options.map(({ label }) => label.toLowerCase()));
    const isWhole = (text: string) => whole.has(text.toLowerCase());
    if (!explicit && isWhole(state.sliceDoc(completions.from, pos))) return null;
    return {
      from: completions.from,
      options: completions.options.map((option) => completionOf(option, language)),
      ...(language === 'sql' && { validFor: (text) => /^\w*$/.test(text) && !isWhole(text) }),
    };
  };
}

/** The completions that the gateway knows, asked for where a word has begun. */
export function servedCompletions(service: EditorService) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos, explicit } = context;
    if (!explicit && context.matchBefore(/[\w.@]/) === null) return null;
    const { from, options } = await service.complete(state.doc.toString(), pos);
    if (context.aborted) return null;
    if (options.length === 0) return null;
    return { from, options: options.map((option) => completionOf(option, 'sql')), validFor: /^\w*$/ };
  };
}

function completionOf(option: Option, language: 'sql' | 'lql'): Completion {
  const { kind, label, detail, insert = label, goesOn = false } = option;
  const isCall = kind === 'function' && language === 'sql';
  return {
    label,
    type: icons[kind],
    boost: -optionKinds.indexOf(kind),
    ...(detail !== undefined && { detail }),
    apply: isCall
      ? (view, completion, from, to) => insertCall(view, completion, { name: insert, from, to })
      : goesOn
        ? (view, completion, from, to) => {
            insertText(view, completion, { text: insert, from, to });
            startCompletion(view);
          }
        : insert,
  };
}

interface Insertion {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Where the cursor stands afterwards, if not behind the text. */
  readonly cursor?: number;
}

function insertText(view: EditorView, completion: Completion, { text, from, to, cursor }: Insertion): void {
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: cursor ?? from + text.length },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

/** Inserts a call with the cursor between its brackets. */
function insertCall(
  view: EditorView,
  completion: Completion,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): void {
  const hasBracket = view.state.sliceDoc(to, to + 1) === '(';
  const text = hasBracket ? name : `${name}()`;
  insertText(view, completion, { text, from, to, cursor: from + name.length + 1 });
}
