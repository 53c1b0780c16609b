import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';
import type { Answer, Call } from '../../parts/answer/answer.ts';
import { Beside, KeepButton } from '../../parts/answer/beside.tsx';
import { Download } from '../../parts/answer/download.tsx';
import { EarlierRows } from '../../parts/answer/earlier-rows.tsx';
import { FactsLine } from '../../parts/answer/facts-line.tsx';
import { snippetsOf } from '../../parts/answer/snippets.ts';
import { SnippetsView } from '../../parts/answer/snippets-view.tsx';
import { AddToBoard } from '../../parts/boards/add-to-board.tsx';
import { panelOf } from '../../parts/boards/panel-of.ts';
import type { ChartChoice } from '../../parts/chart/chart-choice.ts';
import { knownColumns, proposeChart } from '../../parts/chart/chart-columns.ts';
import { ChartView } from '../../parts/chart/chart-view.tsx';
import { Empty, FailureFace, Loading, Running } from '../../parts/faces/faces.tsx';
import type { Loaded } from '../../parts/loading/use-load.ts';
import { DataTable } from '../../parts/table/data-table.tsx';
import { columnsOf } from '../../parts/table/table-column.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import { bytesText } from '../../parts/text/number-text.ts';
import { useSession } from '../../session/session.ts';
import { type Draft, isSameQuestion, type Question, questionOf } from './drafts/draft.ts';

/** The rows of a query. */
interface QueryAnswer {
  readonly answer: Answer;
  readonly call: Call;
  /** What was asked: the call has times where this has the text of a range. */
  readonly question: Question;
}

/** What came of a run. */
export type Outcome =
  | ({ readonly kind: 'answer' } & QueryAnswer)
  /** The user has to agree to the bytes that it reads. */
  | { readonly kind: 'large'; readonly bytes: number };

interface QueryResultProps {
  readonly draft: Draft;
  readonly outcome: Loaded<Outcome>;
  readonly failure: unknown;
  readonly isCancelled: boolean;
  readonly onRun: (hasAgreed?: boolean) => void;
  /** Called with the chart that is shown; undefined for a table. */
  readonly onChart: (chart: ChartChoice | undefined) => void;
  /** Goes to the place of the failure. */
  readonly onPlace: () => void;
}

/** What came of a query: its rows, what is wrong with it, or that it runs. */
export function QueryResult(props: QueryResultProps) {
  const { draft, outcome, failure, isCancelled, onRun, onPlace, onChart } = props;
  const { isLoading, value } = outcome;
  const [tab, setTab] = useTab(draft.chart, onChart);
  const [kept, setKept] = useState<QueryAnswer>();
  const shown = value ?? outcome.earlier;
  const rows = shown?.kind === 'answer' ? shown : undefined;
  const failed = failure !== undefined && <Failed {...{ failure, onRun, onPlace }} />;
  if (value?.kind === 'large') return <Large bytes={value.bytes} onRun={() => onRun(true)} />;
  if (rows === undefined) {
    if (isLoading) return <Loading what="Running the query" />;
    if (isCancelled) return <Empty title="Cancelled" />;
    return (
      failed || (
        <Empty title="Not run yet">
          <p class="quiet">Click Run, or press Ctrl+Enter (⌘+Enter) in the editor.</p>
        </Empty>
      )
    );
  }
  const isSame = isSameQuestion(rows.question, questionOf(draft));
  const text = oneLine(rows.question.text.slice(0, 300));
  const shared = { label: draft.endpoint, chart: draft.chart, onChart };
  return (
    <>
      {failed}
      <Beside
        kept={
          kept && {
            title: oneLine(kept.question.text.slice(0, 300)),
            rows: <Rows {...shared} value={kept} tab={tab === 'code' ? 'table' : tab} />,
          }
        }
        onClose={() => setKept(undefined)}
      >
        <EarlierRows
          isLoading={isLoading}
          note={
            (isLoading || isCancelled || failed || !isSame) && (
              <>
                {isLoading && <Running what="Running the query" />}
                {isCancelled && 'Cancelled. '}
                {isSame ? 'Results of the run before.' : 'Results of the query before your changes: '}
                {!isSame && <code>{text}</code>}
              </>
            )
          }
        >
          <Rows {...{ ...shared, tab }} value={rows} onTab={setTab} onKeep={() => setKept(rows)} />
        </EarlierRows>
      </Beside>
    </>
  );
}

type Tab = 'table' | 'chart' | 'code';

/** The tab that is shown. That of the chart tells its chart, which belongs to the link of the query. */
function useTab(
  chart: ChartChoice | undefined,
  onChart: (chart: ChartChoice | undefined) => void,
): readonly [Tab, (tab: Tab, proposed: ChartChoice | undefined) => void] {
  const [tab, setTab] = useState<Tab>(chart === undefined ? 'table' : 'chart');
  const last = useRef(chart);
  useEffect(() => {
    if (chart === undefined) return;
    last.current = chart;
    setTab('chart');
  }, [chart]);
  const select = (next: Tab, proposed: ChartChoice | undefined) => {
    setTab(next);
    if (next === 'table') onChart(undefined);
    if (next === 'chart') onChart(last.current ?? proposed);
  };
  return [tab, select];
}

interface FailedProps extends Pick<QueryResultProps, 'onRun' | 'onPlace'> {
  readonly failure: unknown;
}

function Failed({ failure, onRun, onPlace }: FailedProps) {
  const place = failure instanceof Failure ? failure.facts.location : undefined;
  const canRetry = !(failure instanceof Failure) || failure.facts.status === 0 || failure.facts.status >= 429;
  return (
    <FailureFace failure={failure} onRetry={canRetry ? () => onRun() : undefined}>
      {place && (
        <button type="button" onClick={onPlace}>
          Go to line {place.line}, column {place.column}
        </button>
      )}
    </FailureFace>
  );
}

function Large({ bytes, onRun }: { readonly bytes: number; readonly onRun: () => void }) {
  return (
    <Empty title={`This query reads ${bytesText(bytes)}`}>
      <p class="quiet">BigQuery bills what it reads.</p>
      <button type="button" class="primary" onClick={onRun}>
        Run it
      </button>
    </Empty>
  );
}

interface RowsProps {
  readonly label: string;
  readonly tab: Tab;
  readonly value: QueryAnswer;
  readonly chart: ChartChoice | undefined;
  readonly onChart: (chart: ChartChoice) => void;
  /** Called with the chart that suits the rows best. Without it, the rows have no tabs. */
  readonly onTab?: (tab: Tab, proposed: ChartChoice | undefined) => void;
  readonly onKeep?: () => void;
}

function Rows({ label, tab, value: { answer, call }, chart, onChart, onTab, onKeep }: RowsProps) {
  const { client, endpoints } = useSession();
  const { rows, facts } = answer;
  const endpoint = endpoints.find(({ name }) => name === call.endpoint.name);
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const shown = (
    <>
      {tab === 'table' && <DataTable label={label} columns={columns} rows={rows} />}
      {tab === 'chart' && <ChartView {...{ label, columns, rows }} choice={chart} onChoice={onChart} />}
      {tab === 'code' && <SnippetsView snippets={snippetsOf(call, location.origin)} />}
    </>
  );
  return (
    <div class="query-result">
      <FactsLine facts={facts} />
      {rows.length === 0 && (
        <Empty title="No rows">
          <p class="quiet">The query has run and found nothing.</p>
        </Empty>
      )}
      {rows.length > 0 && onTab === undefined && shown}
      {rows.length > 0 && onTab !== undefined && (
        <div>
          <Tabs
            label="Result"
            tabs={[
              { name: 'table', text: 'Table' },
              { name: 'chart', text: 'Chart' },
              { name: 'code', text: 'Code' },
            ]}
            selected={tab}
            onSelect={(next) => onTab(next, proposeChart(knownColumns(columns, rows), rows.length))}
          >
            {shown}
          </Tabs>
        </div>
      )}
      {onTab !== undefined && (
        <div class="answer-actions">
          <Download client={client} call={call} />
          {endpoint && (
            <AddToBoard panel={() => panelOf(label, call, endpoint, tab === 'table' ? 'table' : chart)} />
          )}
          {onKeep && <KeepButton onKeep={onKeep} />}
        </div>
      )}
    </div>
  );
}
