import { useState } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import { ChartView } from '../../parts/chart/chart-view.tsx';
import { Empty, FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { ParameterForm } from '../../parts/parameters/parameter-form.tsx';
import {
  addressPairs,
  initialValues,
  missingParameters,
  mistakesOf,
  type ParameterValues,
  pairsOf,
} from '../../parts/parameters/parameter-values.ts';
import { valuesNow } from '../../parts/parameters/relative-times.ts';
import { DataTable } from '../../parts/table/data-table.tsx';
import { counted } from '../../parts/text/number-text.ts';
import { pushAddress } from '../../router/route.ts';
import type { Session } from '../../session/session.ts';
import { StatusLine } from './status-line.tsx';
import { type TailCall, useResult } from './tail/use-tail.ts';

interface WatchResultProps {
  readonly session: Session;
  readonly endpoint: Endpoint;
  /** Of the address. */
  readonly values: URLSearchParams;
}

/** The result of an endpoint that counts or groups: each run replaces the rows of the one before. */
export function WatchResult({ session, endpoint, values: address }: WatchResultProps) {
  const { client, caller } = session;
  const [values, setValues] = useState(() => initialValues(endpoint.parameters, address));
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [call, setCall] = useState<TailCall | undefined>(() => {
    // What costs money runs when it is asked for.
    const runsAtOnce = !caller.billed && missingParameters(endpoint.parameters, values).length === 0;
    return runsAtOnce ? callOf(endpoint, values) : undefined;
  });
  const { watched, retryNow } = useResult(client, call);
  const { stream, latest, results } = watched;
  const failure = call !== undefined && stream.state === 'ended' ? stream.failure : undefined;

  const watch = (given: ParameterValues) => {
    setValues(given);
    const without = missingParameters(endpoint.parameters, given);
    setMissing(without);
    if (without.length > 0) return;
    pushAddress({
      page: 'live',
      endpoint: endpoint.name,
      values: addressPairs(pairsOf(given), client.key),
    });
    setCall(callOf(endpoint, given));
  };
  const names = endpoint.parameters.map(({ name }) => name);

  return (
    <>
      <form
        class="card live-form live-parameters"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          watch(values);
        }}
      >
        <ParameterForm
          parameters={endpoint.parameters}
          values={values}
          mistakes={mistakesOf(failure, missing, names)}
          onChange={setValues}
          onRun={watch}
        />
        <button type="submit" class="primary">
          Watch
        </button>
      </form>
      {call === undefined ? (
        <Empty title="Not watched yet">
          <p class="quiet">Fill in the parameters, then click Watch.</p>
        </Empty>
      ) : (
        <>
          <div class="live-tools">
            <StatusLine status={stream} isPaused={false} failedRun={watched.failedRun} onRetry={retryNow} />
            <span class="quiet">{counted(results, 'result')} received. Each replaces the one before.</span>
          </div>
          {failure !== undefined && latest === undefined && (
            <FailureFace failure={failure} onRetry={() => watch(values)} />
          )}
          {latest === undefined && failure === undefined && <Loading what="Waiting for the gateway" />}
          {latest?.length === 0 && <Empty title="No rows" />}
          {latest !== undefined && latest.length > 0 && (
            <>
              <ChartView label={endpoint.name} columns={endpoint.columns} rows={latest} />
              <DataTable label={endpoint.name} columns={endpoint.columns} rows={latest} />
            </>
          )}
        </>
      )}
    </>
  );
}

function callOf(endpoint: Endpoint, values: ParameterValues): TailCall {
  return { endpoint, table: undefined, values: valuesNow(endpoint.parameters, values), lql: '' };
}
