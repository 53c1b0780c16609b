import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Names } from '../../../sql/editing/completion.ts';
import { writtenField } from '../../../sql/editing/field.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { Failure } from '../../api/failure.ts';
import { type Call, estimateCall, runCall } from '../../parts/answer/answer.ts';
import type { CodeEditorProps, EditorHandle } from '../../parts/editor/code-editor.tsx';
import { Lazy } from '../../parts/lazy.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { addressPairs, missingParameters } from '../../parts/parameters/parameter-values.ts';
import { valuesNow } from '../../parts/parameters/relative-times.ts';
import { bytesText } from '../../parts/text/number-text.ts';
import { formatRoute, type Route } from '../../router/route.ts';
import { ofSources, useSession } from '../../session/session.ts';
import { type Draft, type Language, questionOf, withEndpoint } from './drafts/draft.ts';

import type { Run } from './history/runs.ts';

import { type Outcome, QueryResult } from './query-result.tsx';
import { QuerySide } from './query-side.tsx';

interface QueryTabProps {
  readonly draft: Draft;
  readonly isShown: boolean;
  /** Those that take queries. */
  readonly endpoints: readonly Endpoint[];
  readonly functions: readonly string[];
  readonly onChange: (draft: Draft) => void;
  /** Called after each run, whatever came of it. */
  readonly onRun: (run: Run) => void;
}

/** Queries that read more bytes than this are run only when the user has agreed. */
const largeBytes = 10e9;

const loadEditor = () => import('../../parts/editor/code-editor.tsx');

/** A query with its editor, its parameters and its rows. */
export function QueryTab({ draft, isShown, endpoints, functions, onChange, onRun }: QueryTabProps) {
  const { client, caller, endpoints: allEndpoints } = useSession();
  const { language } = draft;
  const endpoint = endpoints.find(({ name }) => name === draft.endpoint);
  const outcome = useLoad<Outcome>();
  const estimate = useLoad<number | null>();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const editor = useRef<EditorHandle>(null);
  const [isCancelled, setCancelled] = useState(false);

  const names = useMemo(
    (): Names => ({
      tables: (endpoint?.tables ?? []).map(({ name, columns }) => ({
        name,
        fields: columns.map(writtenField),
      })),
      functions: functions.map((name) => ({ name })),
      parameters: endpoint?.parameters.map(({ name, type }) => ({ name, detail: type })) ?? [],
      analyzed: new Map(),
    }),
    [endpoint, functions],
  );

  const callOf = (values = draft.values): Call | undefined => {
    if (endpoint === undefined) return undefined;
    const without = missingParameters(endpoint.parameters, values);
    setMissing(without);
    if (without.length > 0) return undefined;
    return {
      endpoint,
      values: valuesNow(endpoint.parameters, values),
      query: { language, text: draft[language] },
    };
  };

  const run = (hasAgreed = false, values = draft.values) => {
    const call = callOf(values);
    if (call === undefined) return;
    setCancelled(false);
    const question = questionOf({ ...draft, values });
    const started = performance.now();
    const record = (result: Pick<Run, 'rows' | 'failure'>) =>
      onRun({ question, at: Date.now(), milliseconds: Math.round(performance.now() - started), ...result });
    outcome.load(async (signal) => {
      if (caller.billed && !hasAgreed) {
        const bytes = await estimateCall(client, call, signal);
        estimate.load(async () => bytes);
        if (bytes !== null && bytes > largeBytes) return { kind: 'large', bytes };
      }
      try {
        const answer = await runCall(client, call, signal);
        record({ rows: answer.rows.length });
        return { kind: 'answer', answer, call, question };
      } catch (thrown) {
        if (thrown instanceof Failure) record({ failure: thrown.message });
        throw thrown;
      }
    });
  };

  // A link with a chart is to be looked at. What costs money runs when it is asked for.
  useEffect(() => {
    if (draft.chart !== undefined && !caller.billed) run();
  }, []);

  const cancel = () => {
    outcome.cancel();
    setCancelled(true);
  };

  const tellEstimate = () => {
    const call = callOf();
    if (call !== undefined) estimate.load((signal) => estimateCall(client, call, signal));
  };

  const change = (changed: Partial<Draft>) => {
    estimate.cancel();
    onChange({ ...draft, ...changed });
  };

  const failure = outcome.failure ?? estimate.failure;
  const goToMark = useCallback(() => editor.current?.goToMark(), []);
  const editorProps: CodeEditorProps = {
    label: language === 'sql' ? 'SQL' : 'LQL',
    language,
    text: draft[language],
    names,
    failure: failure instanceof Failure ? failure : undefined,
    onText: (text) => change({ [language]: text }),
    onRun: () => run(),
    handle: editor,
  };

  return (
    <div class="query" hidden={!isShown}>
      <QuerySide
        {...{ draft, endpoint, endpoints, failure, missing, tables: names.tables }}
        onEndpoint={(next) => onChange(withEndpoint(draft, endpoint, next))}
        onValues={(values) => change({ values })}
        onRun={(values) => {
          change({ values });
          run(false, values);
        }}
        onInsert={(text) => editor.current?.insert(text)}
      />
      <div class="query-main">
        <Lazy
          load={loadEditor}
          props={editorProps}
          placeholder={<pre class="editor editor-text">{draft[language]}</pre>}
        />
        <div class="query-tools">
          <button
            type="button"
            class={outcome.isLoading ? '' : 'primary'}
            title={outcome.isLoading ? '' : 'Ctrl+Enter or ⌘+Enter'}
            disabled={endpoint === undefined}
            onClick={() => (outcome.isLoading ? cancel() : run())}
          >
            {outcome.isLoading ? 'Cancel' : 'Run'}
          </button>
          <button type="button" onClick={tellEstimate} disabled={endpoint === undefined}>
            Estimate
          </button>
          {caller.editsEndpoints && allEndpoints.some(ofSources) && language === 'sql' && (
            <a class="button" href={formatRoute(editOf(draft.sql, client.key))}>
              Make an endpoint
            </a>
          )}
          <LanguageChoice language={language} onChoice={(next) => change({ language: next })} />
          <span class="quiet" role="status">
            {estimate.isLoading ? 'Estimating…' : estimateText(estimate.value, caller.billed)}
          </span>
        </div>
        {isShown && (
          <QueryResult
            {...{ draft, outcome, failure, isCancelled }}
            onChart={(chart) => onChange({ ...draft, chart })}
            onRun={(hasAgreed) => run(hasAgreed)}
            onPlace={goToMark}
          />
        )}
      </div>
    </div>
  );
}

/** The page that makes an endpoint of a query. */
function editOf(sql: string, key: string): Route {
  return { page: 'edit', values: addressPairs([['sql', sql]], key) };
}

/** Engines that bill what is read tell it before. Others know a bound. */
function estimateText(bytes: number | null | undefined, isBilled: boolean): string {
  if (bytes === undefined) return '';
  if (bytes === null) return 'The engine can\u2019t tell what it reads.';
  return `Reads ${isBilled ? '' : 'at most '}${bytesText(bytes)}`;
}

interface LanguageChoiceProps {
  readonly language: Language;
  readonly onChoice: (language: Language) => void;
}

function LanguageChoice({ language, onChoice }: LanguageChoiceProps) {
  return (
    <fieldset class="chips">
      <legend class="only-heard">Language</legend>
      {(['sql', 'lql'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={one === language} onClick={() => onChoice(one)}>
          {one.toUpperCase()}
        </button>
      ))}
    </fieldset>
  );
}
