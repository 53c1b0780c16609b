import { SQLDialect } from '@codemirror/lang-sql';
import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';
import { forEachDiagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import type { Names } from '../../../sql/editing/completion.ts';
import { offeredWords, typeWords } from '../../../sql/editing/words.ts';
import { completionSource, servedCompletions } from './completion-source.ts';
import { type EditorService, servedHover } from './editor-service.ts';
import type { Span } from './place.ts';
import { theme } from './theme.ts';

interface State {
  /** What comes next in the clause. */
  place: 'clause' | 'value' | 'table' | 'time' | 'columns' | 'chart';
}

const parser: StreamParser<State> = {
  name: 'lql',
  startState: () => ({ place: 'clause' }),
  token(stream, state) {
    if (stream.eatSpace()) {
      state.place = 'clause';
      return null;
    }
    if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return 'string';
    if (state.place === 'clause') {
      if (stream.sol() || /\s/.test(stream.string.charAt(stream.pos - 1))) {
        if (stream.match(/^-(?=\S)/)) return 'operator';
      }
      return clauseStart(stream, state);
    }
    if (stream.match(/^(?:@>~?|[<>]=?|~|\.\.|::)/)) return 'operator';
    if (state.place === 'table') return take(stream, 'typeName');
    if (state.place === 'columns') return stream.match(/^@\w+/) ? 'labelName' : take(stream, 'propertyName');
    if (state.place === 'chart' && stream.match(/^\w+(?=\()/)) return 'keyword';
    if (stream.match(/^[\d:.T+-]+(?=[\s.)]|$)/)) return 'number';
    if (stream.match(/^(?:NULL|true|false|now|today|yesterday)\b/)) return 'atom';
    if (stream.match(/^(?:last|this)@\w+/)) return 'atom';
    if (state.place === 'chart') return stream.match(/^[\w.]+/) ? 'propertyName' : next(stream);
    return stream.match(/^\w+/) ? 'string' : next(stream);
  },
};

type Stream = Parameters<StreamParser<State>['token']>[0];

const places = {
  f: 'table',
  from: 'table',
  t: 'time',
  timestamp: 'time',
  s: 'columns',
  select: 'columns',
} as const;

function clauseStart(stream: Stream, state: State): string | null {
  const known = stream.match(/^(f|from|t|timestamp|s|select|c|chart):/);
  if (Array.isArray(known)) {
    const name = known[1] ?? '';
    state.place = name in places ? places[name as keyof typeof places] : 'chart';
    return 'keyword';
  }
  if (stream.match(/^[\w.]+(?=:)/)) {
    stream.eat(':');
    state.place = 'value';
    return 'propertyName';
  }
  if (stream.match(/^~\S*/)) return 'regexp';
  return take(stream, 'string');
}

function take(stream: Stream, style: string): string | null {
  return stream.match(/^[^\s"@]+/) ? style : next(stream);
}

function next(stream: Stream): null {
  stream.next();
  return null;
}

/** LQL, highlighted. */
const lql = StreamLanguage.define(parser);

/**
 * Replaces the selection when the user types over it. Left to itself, Chromium keeps the style of what it deletes in a
 * style attribute, which the Content-Security-Policy forbids: each such letter would be reported as a violation.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    const { data, inputType, isComposing } = event;
    if (inputType !== 'insertText' || data === null || isComposing || main.empty || ranges.length > 1)
      return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    const isHandled = handlers.some((handler) => handler(view, main.from, main.to, data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

/** GoogleSQL for highlighting, brackets and comments. */
const googleSql = SQLDialect.define({
  keywords: offeredWords.join(' ').toLowerCase(),
  types: typeWords.join(' ').toLowerCase(),
  builtin: '',
  identifierQuotes: '`',
  doubleQuotedStrings: true,
  hashComments: true,
  backslashEscapes: true,
  specialVar: '@',
  operatorChars: '*+-%<>!=&|~^/',
});

/** `endpoint` is the file of an endpoint: SQL behind a comment with settings. `yaml` is not highlighted. */
export type Language = 'sql' | 'lql' | 'endpoint' | 'yaml';

/** Something wrong at a place. */
export interface Mark extends Span {
  readonly message: string;
}

interface EditorOptions {
  readonly text: string;
  readonly language: Language;
  /** What the text is, for those who can't see it. */
  readonly label: string;
  /** What names mean, at the time of the question. */
  readonly names: () => Names;
  /** What the gateway knows of a text: it is asked instead of what is known here. */
  readonly service?: EditorService | undefined;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
}

/** A mounted editor. */
export interface Editor {
  text(): string;
  setText(text: string): void;
  setLanguage(language: Language): void;
  /** Marks what is wrong, instead of what was marked before. */
  mark(mistakes: readonly Mark[]): void;
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
        language.of(support(options.language, options)),
        ...(options.service === undefined ? [] : [servedHover(options.service)]),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          ...{ 'aria-label': options.label, spellcheck: 'false' },
          // What scrolls has something that takes the focus, as checkers see it.
          tabindex: '0',
        }),
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
      view.dispatch({ effects: language.reconfigure(support(next, options)) });
    },
    mark(mistakes) {
      const diagnostics = mistakes.map((mistake) => ({ ...within(mistake), severity: 'error' as const }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goToMark() {
      const places: number[] = [];
      forEachDiagnostic(view.state, (_diagnostic, from) => places.push(from));
      const [first] = places;
      if (first !== undefined) view.dispatch({ selection: { anchor: first }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    insert(text) {
      const { from } = view.state.selection.main;
      const before = view.state.sliceDoc(Math.max(0, from - 40), from);
      view.dispatch(view.state.replaceSelection(`${separatorAfter(before)}${text}`), {
        scrollIntoView: true,
      });
      view.focus();
    },
    destroy: () => view.destroy(),
  };

  function within<T extends Span>(span: T): T {
    const { length } = view.state.doc;
    return { ...span, from: Math.min(span.from, length), to: Math.min(span.to, length) };
  }
}

/** What stands between a text and an expression behind it: a comma after another expression. */
function separatorAfter(text: string): string {
  const [, word] = /([A-Za-z]+)$/.exec(text) ?? [];
  if (word !== undefined && clauseWords.has(word.toUpperCase())) return ' ';
  return /[\w)\]`'"*]$/.test(text) ? ', ' : '';
}

const clauseWords = new Set(
  'SELECT DISTINCT FROM JOIN WHERE ON AND OR NOT IN BY HAVING QUALIFY CASE WHEN THEN ELSE LIKE BETWEEN'.split(
    ' ',
  ),
);

function support(
  language: Language,
  { names, service }: Pick<EditorOptions, 'names' | 'service'>,
): LanguageSupport | [] {
  if (language === 'yaml') return [];
  const base = language === 'lql' ? lql : googleSql.language;
  const source =
    service === undefined
      ? completionSource(language === 'lql' ? 'lql' : 'sql', names)
      : servedCompletions(service);
  return new LanguageSupport(base, base.data.of({ autocomplete: source }));
}
