import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { type Endpoint, type FullEndpoint, parseFullEndpoint } from '../../api/endpoints.ts';
import { type Answer, type Call, runCall } from '../../parts/answer/answer.ts';
import { Download } from '../../parts/answer/download.tsx';
import { Empty, FailureFace, FileErrors, Loading } from '../../parts/faces/faces.tsx';
import { Lazy } from '../../parts/lazy.tsx';
import { type Loaded, useLoad } from '../../parts/loading/use-load.ts';
import { ParameterForm } from '../../parts/parameters/parameter-form.tsx';
import {
  addressPairs,
  initialValues,
  missingParameters,
  mistakesOf,
  type ParameterValues,
  pairsOf,
  rangeParameters,
  rangeValues,
} from '../../parts/parameters/parameter-values.ts';
import { Tabs } from '../../parts/tabs.tsx';
import type { TimeRange } from '../../parts/time/time-range.ts';
import { formatRoute, rewriteAddress } from '../../router/route.ts';
import { mayOperate, ofSources, recordsCalls, type Session, useSession } from '../../session/session.ts';
import { CodeTab, ColumnsTab, DefinitionTab } from './endpoint-tabs.tsx';
import { PagedAnswer } from './paged-answer.tsx';

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
  const [values, setValues] = useState(() => initialValues(endpoint.parameters, address));
  const answer = useLoad<Answer>();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const call = useMemo<Call>(() => ({ endpoint, values }), [endpoint, values]);
  const full = useFullEndpoint(client, endpoint, tab === 'code' || tab === 'definition');
  const range = rangeParameters(endpoint.parameters);
  /** The call whose answer is shown, or comes. */
  const [ran, setRan] = useState<Call>(call);
  const { load } = answer;

  const run = useCallback(
    (given: ParameterValues) => {
      const without = missingParameters(endpoint.parameters, given);
      setMissing(without);
      if (without.length > 0) return;
      const search = addressPairs(pairsOf(given), client.key);
      rewriteAddress({ page: 'endpoint', endpoint: endpoint.name, values: search });
      const called = { endpoint, values: given };
      setRan(called);
      load((signal) => runCall(client, called, signal));
    },
    [client, endpoint, load],
  );

  // What costs money runs when it is asked for.
  const runsAtOnce = useRef(!caller.billed && missingParameters(endpoint.parameters, values).length === 0);
  useEffect(() => {
    if (runsAtOnce.current) run(values);
    runsAtOnce.current = false;
  }, [run, values]);

  // What was shown was of the version before.
  const shown = useRef(endpoint.version);
  useEffect(() => {
    if (shown.current === endpoint.version) return;
    shown.current = endpoint.version;
    if (!caller.billed && answer.value !== undefined) run(values);
  }, [endpoint.version, caller.billed, answer.value, run, values]);

  const zoom =
    range &&
    ((to: TimeRange) => {
      const next = new Map([...values, ...rangeValues(range, to)]);
      setValues(next);
      run(next);
    });

  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <span class="crumb">
          <a href="#/">Endpoints</a>
        </span>
        <h1 id="title">{endpoint.name}</h1>
        <Links {...{ client, endpoint, values }} mayEdit={caller.editsEndpoints} />
      </div>
      {endpoint.stale && (
        <FileErrors title="Its file has errors. This is the last version without." errors={endpoint.stale} />
      )}
      {endpoint.description !== '' && <p>{endpoint.description}</p>}
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
              answer.failure,
              missing,
              endpoint.parameters.map(({ name }) => name),
            )}
            onChange={setValues}
          />
          {answer.isLoading ? (
            <button type="button" onClick={answer.cancel}>
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
                <Rows {...{ client, endpoint, ran, answer, onRange: zoom, onRetry: () => run(values) }} />
                {answer.value !== undefined && <Download client={client} call={call} />}
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
  readonly ran: Call;
  readonly answer: ReturnType<typeof useLoad<Answer>>;
  readonly onRange: ((range: TimeRange) => void) | undefined;
  readonly onRetry: () => void;
}

function Rows({ client, endpoint, ran, answer, onRange, onRetry }: RowsProps) {
  const { value, failure, isLoading, cancel } = answer;
  if (failure !== undefined) return <FailureFace failure={failure} onRetry={onRetry} />;
  // The rows that are there stay, until the next ones come.
  if (value === undefined && isLoading) return <Loading what="Running the query" onCancel={cancel} />;
  if (value === undefined) {
    return (
      <Empty title="Not run yet">
        <p class="quiet">Fill in the parameters, then click Run.</p>
      </Empty>
    );
  }
  return (
    <div class={isLoading ? 'outdated' : ''} aria-busy={isLoading}>
      <PagedAnswer {...{ client, endpoint, onRange }} call={ran} answer={value} />
    </div>
  );
}

interface LinksProps {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly values: ParameterValues;
  readonly mayEdit: boolean;
}

function Links({ client, endpoint, values, mayEdit }: LinksProps) {
  const { name, sandbox, liveTables } = endpoint;
  const search = addressPairs(pairsOf(values), client.key);
  const [table] = liveTables;
  return (
    <span class="page-links">
      {sandbox && (
        <a href={formatRoute({ page: 'query', endpoint: name, values: search })}>Query its tables</a>
      )}
      {table !== undefined && (
        <a href={formatRoute({ page: 'live', endpoint: name, table, values: search })}>Watch live</a>
      )}
      {mayEdit && !ofSources(endpoint) && (
        <a href={formatRoute({ page: 'edit', endpoint: name, values: search })}>Edit</a>
      )}
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
