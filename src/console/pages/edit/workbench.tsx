import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckedText, Editing, EndpointFile, QueryLiterals } from '../../api/editing.ts';
import type { CodeEditorProps, EditorHandle } from '../../parts/editor/code-editor.tsx';
import type { EditorService } from '../../parts/editor/editor-service.ts';
import { Lazy } from '../../parts/lazy.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { counted } from '../../parts/text/number-text.ts';
import { ChangesPanel } from './changes-panel.tsx';
import { type LiteralChoice, newFile, proposedChoices, withChoices } from './draft-file.ts';
import { queryOf, readHeader } from './header.ts';
import { HeaderForm } from './header-form.tsx';
import { LiteralList } from './literal-list.tsx';
import { SaveBar } from './save-bar.tsx';
import { TestPanel } from './test-panel.tsx';
import { TryPanel } from './try-panel.tsx';
import { keepUnsaved, keptUnsaved, type Unsaved } from './unsaved.ts';

interface WorkbenchProps {
  readonly editing: Editing;
  /** The endpoint whose file it is; undefined for a new one. */
  readonly name: string | undefined;
  readonly opened: { readonly file: EndpointFile } | { readonly query: QueryLiterals };
  /** Values to try with. */
  readonly values: URLSearchParams;
}

const loadEditor = () => import('../../parts/editor/code-editor.tsx');
const noNames = { tables: [], functions: [], parameters: [], analyzed: new Map() };
/** A text is checked when nothing was typed for so long. */
const quietMilliseconds = 350;

type Panel = 'try' | 'tests' | 'changes';

/** What is checked: the result belongs to a text. */
interface Checked extends CheckedText {
  readonly of: string;
}

/** The editor of an endpoint's file, with its settings as a form, what is wrong with it, a try, its tests and its changes. */
export function Workbench({ editing, name: served, opened, values }: WorkbenchProps) {
  const query = 'query' in opened ? opened.query : undefined;
  const edited = useMemo(() => ({ endpoint: served, sql: values.get('sql') ?? '' }), [served, values]);
  const [kept, setKept] = useState(() => keptUnsaved(sessionStorage, edited));
  const [choices, setChoices] = useState<readonly LiteralChoice[]>(() =>
    query ? withKept(proposedChoices(query), kept) : [],
  );
  const [saved, setSaved] = useState(() => ('file' in opened ? opened.file : undefined));
  const [first] = useState(() => firstText(opened, choices));
  const [text, setText] = useState(kept?.text ?? first);
  const [test, setTest] = useState(kept ? kept.test : saved?.test?.text);
  const isUnsaved = text !== (saved?.text ?? first) || test !== saved?.test?.text;
  useEffect(() => {
    keepUnsaved(
      sessionStorage,
      edited,
      isUnsaved
        ? {
            text,
            test,
            before: saved?.text,
            choices: choices.map(({ isChosen, name }) => ({ isChosen, name })),
          }
        : undefined,
    );
  }, [edited, isUnsaved, text, test, saved, choices]);
  useWarning(isUnsaved);
  const discard = () => {
    const proposed = query ? proposedChoices(query) : [];
    const next = saved?.text ?? firstText(opened, proposed);
    generated.current = queryOf(next);
    setChoices(proposed);
    setText(next);
    setTest(saved?.test?.text);
    setKept(undefined);
  };
  const [panel, setPanel] = useState<Panel>('try');
  const header = useMemo(() => readHeader(text), [text]);
  const name = served ?? (header?.name || 'endpoint');
  const checked = useChecked(editing, name, text);
  const { problems = [], file } = checked ?? {};
  const editor = useRef<EditorHandle>(null);

  const nameNow = useRef(name);
  nameNow.current = name;
  const service = useMemo(
    (): EditorService => ({
      complete: (given, position) => editing.complete({ name: nameNow.current, text: given }, position),
      hover: (given, position) => editing.hover({ name: nameNow.current, text: given }, position),
    }),
    [editing],
  );
  const generated = useRef(queryOf(first));
  const change = (next: readonly LiteralChoice[]) => {
    if (query === undefined) return;
    const changed = withChoices(text, query, choices, next);
    generated.current = queryOf(changed);
    setChoices(next);
    setText(changed);
  };
  const isCurrent = checked?.of === text;
  const editorProps: CodeEditorProps = {
    ...{ label: 'Endpoint file', language: 'endpoint', text, names: noNames, service },
    marks: problems,
    onText: setText,
    onRun: () => setPanel('try'),
    handle: editor,
  };

  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <span class="crumb">
          <a href="#/">Endpoints</a>
        </span>
        <h1 id="title">{served === undefined ? 'Make an endpoint' : `Edit ${served}`}</h1>
        <SaveBar
          {...{ editing, text, test, saved, file }}
          name={served ?? header?.name ?? ''}
          isRight={isCurrent && problems.length === 0}
          onSaved={setSaved}
        />
      </div>
      {kept !== undefined && isUnsaved && (
        <p class="unsaved" role="status">
          {kept.before === saved?.text
            ? 'These are your changes that were not saved. '
            : 'These are your changes of an earlier version: the file was changed meanwhile. '}
          <button type="button" class="small" onClick={discard}>
            Discard them
          </button>
        </p>
      )}
      <div class="edit">
        <div class="edit-side">
          {query !== undefined && choices.length > 0 && (
            <LiteralList choices={choices} isLocked={queryOf(text) !== generated.current} onChange={change} />
          )}
          <HeaderForm header={header} text={text} onText={setText} />
        </div>
        <div class="edit-main">
          <Lazy
            load={loadEditor}
            props={editorProps}
            placeholder={<pre class="editor editor-text">{text}</pre>}
          />
          <Problems checked={checked} isCurrent={isCurrent} onPlace={() => editor.current?.goToMark()} />
          <div>
            <Tabs
              label="What to do with it"
              tabs={[
                { name: 'try', text: 'Try' },
                { name: 'tests', text: 'Tests' },
                { name: 'changes', text: 'Changes' },
              ]}
              selected={panel}
              onSelect={setPanel}
            >
              <div hidden={panel !== 'try'}>
                <TryPanel
                  {...{ name, text, test, values, checked }}
                  onTest={(next) => {
                    setTest(next);
                    setPanel('tests');
                  }}
                />
              </div>
              {panel === 'tests' && <TestPanel test={test} onTest={setTest} />}
              {panel === 'changes' && (
                <ChangesPanel
                  {...{ editing, name, text, test, saved, file }}
                  isRight={isCurrent && problems.length === 0}
                />
              )}
            </Tabs>
          </div>
        </div>
      </div>
    </section>
  );
}

/** The choices as they were. */
function withKept(proposed: readonly LiteralChoice[], kept: Unsaved | undefined): readonly LiteralChoice[] {
  return proposed.map((choice, at) => ({ ...choice, ...kept?.choices[at] }));
}

/** Lets the browser ask before it closes the tab. */
function useWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}

function firstText(opened: WorkbenchProps['opened'], choices: readonly LiteralChoice[]): string {
  if ('file' in opened) return opened.file.text;
  const { query } = opened;
  return withChoices(newFile(crypto.randomUUID(), query.sql), query, [], choices);
}

/** What the gateway says of the last text that it has checked. Undefined before the first answer. */
function useChecked(
  editing: Editing,
  name: string,
  text: string,
): (Checked & { readonly failure?: unknown }) | undefined {
  const checked = useLoad<Checked>();
  const { load } = checked;
  const isFirst = useRef(true);
  useEffect(() => {
    const check = () =>
      load(async (signal) => ({ ...(await editing.check({ name, text }, signal)), of: text }));
    if (isFirst.current) {
      isFirst.current = false;
      check();
      return;
    }
    const timer = setTimeout(check, quietMilliseconds);
    return () => clearTimeout(timer);
  }, [editing, name, text, load]);
  const { value, failure } = checked;
  return failure === undefined ? value : { of: '', file: '', problems: [], failure };
}

interface ProblemsProps {
  readonly checked: (Checked & { readonly failure?: unknown }) | undefined;
  readonly isCurrent: boolean;
  readonly onPlace: () => void;
}

/** What is wrong, in words: marks in the editor can't be heard. */
function Problems({ checked, isCurrent, onPlace }: ProblemsProps) {
  const { problems = [], failure } = checked ?? {};
  const said =
    failure !== undefined
      ? `It can't be checked: ${failure instanceof Error ? failure.message : String(failure)}`
      : !isCurrent
        ? 'Checking…'
        : problems.length === 0
          ? 'No errors.'
          : `${counted(problems.length, 'error')}:`;
  return (
    <div class="edit-problems" role="status">
      <p class={problems.length > 0 || failure !== undefined ? 'mistake' : 'quiet'}>{said}</p>
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, 20).map(({ line, column, message }) => (
            <li key={`${line}:${column} ${message}`}>
              <code>
                {line}:{column}
              </code>{' '}
              <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <button type="button" onClick={onPlace}>
          Go to the first
        </button>
      )}
    </div>
  );
}
