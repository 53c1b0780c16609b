import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { type Endpoint, type FullEndpoint, parseFullEndpoint } from '../../api/endpoints.ts';
import type { Call } from '../../parts/answer/answer.ts';
import { AnswerView } from '../../parts/answer/answer-view.tsx';
import { Beside, KeepButton } from '../../parts/answer/beside.tsx';
import { Download } from '../../parts/answer/download.tsx';
import { EarlierRows } from '../../parts/answer/earlier-rows.tsx';
import { AddToBoard } from '../../parts/boards/add-to-board.tsx';
import { panelOf } from '../../parts/boards/panel-of.ts';
import type { ChartChoice } from '../../parts/chart/chart-choice.ts';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Empty, FailureFace, FileErrors, Loading } from '../../parts/faces/faces.tsx';
import { Lazy } from '../../parts/lazy.tsx';
import { type Loaded, useLoad } from '../../parts/loading/use-load.ts';
import { ParameterForm } from '../../parts/parameters/parameter-form.tsx';
import {
  addressPairs,
  isSameValues,
  mistakesOf,
  type ParameterValues,
  pairsOf,
  rangeParameters,
  rangeValues,
  summaryOf,
} from '../../parts/parameters/parameter-values.ts';
import { valuesNow } from '../../parts/parameters/relative-times.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { manyLines, oneLine } from '../../parts/text/cell-text.ts';
import type { TimeRange } from '../../parts/time/time-range.ts';

import { formatRoute } from '../../router/route.ts';
import { mayOperate, ofSources, recordsCalls, type Session, useSession } from '../../session/session.ts';
import { logTable } from '../live/log-table.ts';

import { CodeTab, ColumnsTab, DefinitionTab } from './endpoint-tabs.tsx';
import { PagedAnswer } from './paged-answer.tsx';
import { type Ran, useEndpointRun } from './use-endpoint-run.ts';

interface EndpointPageProps {
  readonly endpoint: string;
  /** The values of the address. */
  readonly values: URLSearchParams;
}

/** An endpoint: a form of its parameters, its rows and a chart of them, and all that there is to read of it. */
export default function EndpointPage({ endpoint: name, values }: EndpointPageProps) {
  const session = useSession();
  const isMeant = (one: { readonly id: string; readonly name: string }) =>
    one.name === name || one.id === name;
  const endpoint = session.endpoints.find(isMeant);
  const missing = session.unavailable.find(isMeant);
  if (missing !== undefined)
    return <FileErrors title={`${name} is not served: its file has errors`} errors={missing.errors} />;
  if (endpoint === undefined) {
    return (
      <Empty title={`There is no endpoint ${JSON.stringify(name)}`}>
        <p class="quiet">It may have been removed, or this key may not call it.</p>
        <a href="#/">All endpoints</a>
      </Empty>
    );
  }
  return <OpenEndpoint key={endpoint.id} {...{ session, endpoint, values }} />;
}

type Tab = 'rows' | 'code' | 'columns' | 'definition' | 'performance';

const loadPerformanceTab = () => import('./performance/performance-tab.tsx');

interface OpenEndpointProps {
  readonly session: Session;
  readonly endpoint: Endpoint;
  readonly values: URLSearchParams;
}

function OpenEndpoint({ session, endpoint, values: address }: OpenEndpointProps) {
  const { client, caller } = session;
  const [tab, setTab] = useState<Tab>('rows');
  const { values, setValues, missing, ran, run, chart, setChart } = useEndpointRun(
    session,
    endpoint,
    address,
  );
  const [kept, setKept] = useState<Ran>();
  const call = useMemo<Call>(
    () => ({ endpoint, values: valuesNow(endpoint.parameters, values) }),
    [endpoint, values],
  );
  const full = useFullEndpoint(client, endpoint, tab === 'code' || tab === 'definition');
  const range = rangeParameters(endpoint.parameters);
  const zoom = range && ((to: TimeRange) => run(new Map([...values, ...rangeValues(range, to)])));

  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <span class="crumb">
          <a href="#/">Endpoints</a>
        </span>
        <h1 id="title">{oneLine(endpoint.name)}</h1>
        <Links {...{ client, endpoint, values }} mayEdit={caller.editsEndpoints}>
          <CopyButton text={() => location.href}>Copy link</CopyButton>
          <AddToBoard panel={() => panelOf(endpoint.name, call, endpoint, chart)} />
        </Links>
      </div>
      {endpoint.stale && (
        <FileErrors title="Its file has errors. This is the last version without." errors={endpoint.stale} />
      )}
      {endpoint.description !== '' && <p class="described">{manyLines(endpoint.description)}</p>}
      <div class="endpoint-body">
        <form
          class="card endpoint-form"
          onSubmit={(event) => {
            event.preventDefault();
            setTab('rows');
            run(values);
          }}
          noValidate
        >
          {endpoint.parameters.length === 0 && <p class="quiet">It has no parameters.</p>}
          <ParameterForm
            parameters={endpoint.parameters}
            values={values}
            mistakes={mistakesOf(
              ran.failure,
              missing,
              endpoint.parameters.map(({ name }) => name),
            )}
            onChange={setValues}
            onRun={run}
          />
          {ran.isLoading ? (
            <button type="button" onClick={ran.cancel}>
              Cancel
            </button>
          ) : (
            <button type="submit" class="primary">
              Run
            </button>
          )}
        </form>
        <div class="endpoint-main">
          <Tabs
            label="What to show"
            tabs={[
              { name: 'rows', text: 'Rows' },
              { name: 'code', text: 'Code' },
              { name: 'columns', text: 'Columns' },
              { name: 'definition', text: 'Definition' },
              ...(mayOperate(caller) ? [{ name: 'performance' as const, text: 'Performance' }] : []),
            ]}
            selected={tab}
            onSelect={setTab}
          >
            {tab === 'rows' && (
              <>
                <Beside
                  kept={
                    kept && {
                      title: summaryOf(kept.values),
                      rows: <KeptRows {...{ endpoint, kept, chart }} />,
                    }
                  }
                  onClose={() => setKept(undefined)}
                >
                  <Rows
                    {...{ client, endpoint, values, ran, chart, onRange: zoom, onChart: setChart }}
                    onRetry={() => run(values)}
                  />
                </Beside>
                {ran.value !== undefined && (
                  <div class="answer-actions">
                    <Download client={client} call={ran.value.call} />
                    <KeepButton onKeep={() => setKept(ran.value)} />
                  </div>
                )}
              </>
            )}
            {tab === 'code' && <CodeTab call={call} full={full} />}
            {tab === 'columns' && <ColumnsTab endpoint={endpoint} />}
            {tab === 'definition' && <DefinitionTab full={full} />}
            {tab === 'performance' && (
              <Lazy
                load={loadPerformanceTab}
                props={{ client, endpoint, values, isRecorded: recordsCalls(session) }}
              />
            )}
          </Tabs>
        </div>
      </div>
    </section>
  );
}

interface RowsProps {
  readonly client: Client;
  readonly endpoint: Endpoint;
  /** Those of the form. */
  readonly values: ParameterValues;
  readonly ran: Loaded<Ran>;
  readonly chart: ChartChoice | undefined;
  readonly onRange: ((range: TimeRange) => void) | undefined;
  readonly onChart: (choice: ChartChoice) => void;
  readonly onRetry: () => void;
}

function Rows({ client, endpoint, values, ran, chart, onRange, onChart, onRetry }: RowsProps) {
  const { failure, isLoading, cancel } = ran;
  const value = ran.value ?? ran.earlier;
  const failed = failure !== undefined && <FailureFace failure={failure} onRetry={onRetry} />;
  if (value === undefined && failed) return failed;
  if (value === undefined && isLoading) return <Loading what="Running the query" onCancel={cancel} />;
  if (value === undefined) {
    return (
      <Empty title="Not run yet">
        <p class="quiet">Fill in the parameters, then click Run.</p>
      </Empty>
    );
  }
  const { answer, call } = value;
  return (
    <>
      {failed}
      <EarlierRows
        isLoading={isLoading}
        note={
          isSameValues(value.values, values) ? (
            failure !== undefined && 'Results of the run before.'
          ) : (
            <>
              Results of the values before: <bdi>{summaryOf(value.values)}</bdi>
            </>
          )
        }
      >
        <PagedAnswer {...{ client, endpoint, call, answer, chart, onRange, onChart }} />
      </EarlierRows>
    </>
  );
}

interface KeptRowsProps {
  readonly endpoint: Endpoint;
  readonly kept: Ran;
  readonly chart: ChartChoice | undefined;
}

function KeptRows({ endpoint, kept, chart }: KeptRowsProps) {
  return <AnswerView label={endpoint.name} answer={kept.answer} columns={endpoint.columns} chart={chart} />;
}

interface LinksProps {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly values: ParameterValues;
  readonly mayEdit: boolean;
  /** What else one can do with it. */
  readonly children: ComponentChildren;
}

function Links({ client, endpoint, values, mayEdit, children }: LinksProps) {
  const { name, sandbox, liveTables } = endpoint;
  const search = addressPairs(pairsOf(values), client.key);
  const table = logTable(endpoint);
  return (
    <span class="page-links">
      {sandbox && (
        <a href={formatRoute({ page: 'query', endpoint: name, values: search })}>Query its tables</a>
      )}
      {liveTables.length > 0 && (
        <a href={formatRoute({ page: 'live', endpoint: name, table, values: search })}>Watch live</a>
      )}
      {mayEdit && !ofSources(endpoint) && (
        <a href={formatRoute({ page: 'edit', endpoint: name, values: search })}>Edit</a>
      )}
      {children}
    </span>
  );
}

/**
 * Details that only the description of one endpoint has, such as its SQL.
 *
 * @param isWanted whether to load it now; it is loaded once
 */
function useFullEndpoint(
  client: Client,
  { name, version }: Endpoint,
  isWanted: boolean,
): Loaded<FullEndpoint> {
  const full = useLoad<FullEndpoint>();
  const { load } = full;
  const loaded = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!isWanted || loaded.current === version) return;
    loaded.current = version;
    load(async (signal) =>
      parseFullEndpoint(await client.json(`/api/endpoints/${encodeURIComponent(name)}`, { signal })),
    );
  }, [client, name, version, isWanted, load]);
  return full;
}
