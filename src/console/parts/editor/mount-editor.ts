import { LanguageSupport } from '@codemirror/language';
import { forEachDiagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import type { Names } from '../../../sql/editing/completion.ts';
import { completionSource } from './completion-source.ts';
import { googleSql } from './google-sql.ts';
import { lql } from './lql-language.ts';
import type { Span } from './place.ts';
import { theme } from './theme.ts';
import { typeOver } from './type-over.ts';

export type Language = 'sql' | 'lql';

interface EditorOptions {
  readonly text: string;
  readonly language: Language;
  /** What the text is, for those who can't see it. */
  readonly label: string;
  /** What names mean, at the time of the question. */
  readonly names: () => Names;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
}

/** A mounted editor. */
export interface Editor {
  text(): string;
  setText(text: string): void;
  setLanguage(language: Language): void;
  /** Marks what is wrong, or removes the mark. */
  mark(mistake: (Span & { readonly message: string }) | undefined): void;
  /** Puts the cursor to the mark, wherever changes have moved it. */
  goToMark(): void;
  focus(): void;
  insert(text: string): void;
  destroy(): void;
}

/**
 * Mounts an editor into an element. It has a shadow root, where CodeMirror adopts its style sheets: the page's
 * Content-Security-Policy allows no others. Tab moves the focus, as everywhere.
 */
export function mountEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const language = new Compartment();
  let isSetting = false;
  const run = () => {
    options.onRun();
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        basicSetup,
        typeOver,
        language.of(support(options.language, options.names)),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isSetting) options.onText(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText(text) {
      if (text === view.state.doc.toString()) return;
      isSetting = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isSetting = false;
    },
    setLanguage(next) {
      view.dispatch({ effects: language.reconfigure(support(next, options.names)) });
    },
    mark(mistake) {
      const diagnostics = mistake === undefined ? [] : [{ ...within(mistake), severity: 'error' as const }];
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goToMark() {
      forEachDiagnostic(view.state, (_diagnostic, from) => {
        view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      });
      view.focus();
    },
    focus: () => view.focus(),
    insert(text) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    destroy: () => view.destroy(),
  };

  function within<T extends Span>(span: T): T {
    const { length } = view.state.doc;
    return { ...span, from: Math.min(span.from, length), to: Math.min(span.to, length) };
  }
}

function support(language: Language, names: () => Names): LanguageSupport {
  const base = language === 'sql' ? googleSql.language : lql;
  return new LanguageSupport(base, base.data.of({ autocomplete: completionSource(language, names) }));
}
