import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Client } from '../../../api/client.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import { TimeChart } from '../../../parts/chart/time-chart.tsx';
import { Empty, FailureFace, Loading } from '../../../parts/faces/faces.tsx';
import { useLoad } from '../../../parts/loading/use-load.ts';
import { missingParameters, type ParameterValues } from '../../../parts/parameters/parameter-values.ts';
import { valuesNow } from '../../../parts/parameters/relative-times.ts';
import { PlainTable } from '../../../parts/plain-table.tsx';
import { durationText } from '../../../parts/text/number-text.ts';
import {
  loadPerformance,
  measureRun,
  type Performance,
  type PerformanceBucket,
  type PerformanceSpan,
  type QueryProfile,
  type SlowestCall,
} from './load-performance.ts';
import { PlanView } from './plan-view.tsx';

const spans = [
  { text: '24 hours', span: { hours: 24, step: 'HOUR' } },
  { text: '7 days', span: { hours: 168, step: 'HOUR' } },
  { text: '30 days', span: { hours: 720, step: 'DAY' } },
] as const satisfies readonly { readonly text: string; readonly span: PerformanceSpan }[];

interface PerformanceTabProps {
  readonly client: Client;
  readonly endpoint: Endpoint;
  /** What a measured run is called with. */
  readonly values: ParameterValues;
  /** Whether calls are recorded. */
  readonly isRecorded: boolean;
}

/** Why an endpoint is slow: how its calls have been, where their time went, and the plan of a run that is measured now. */
export default function PerformanceTab({ client, endpoint, values, isRecorded }: PerformanceTabProps) {
  return (
    <div class="performance">
      {isRecorded ? (
        <Recorded {...{ client, endpoint }} />
      ) : (
        <p class="quiet">This gateway doesn’t record calls: see the setting RECORD_CALLS.</p>
      )}
      <Measured {...{ client, endpoint, values }} />
    </div>
  );
}

function Recorded({ client, endpoint }: Pick<PerformanceTabProps, 'client' | 'endpoint'>) {
  const [chosen, setChosen] = useState(0);
  const { value, failure, load, isLoading } = useLoad<Performance>();
  const { span } = spans[chosen] ?? spans[0];
  const { name } = endpoint;
  useEffect(
    () => load((signal) => loadPerformance(client, { name }, span, signal)),
    [client, name, span, load],
  );
  return (
    <section aria-label="Recorded calls">
      <fieldset class="chips">
        <legend class="only-heard">Time</legend>
        {spans.map(({ text }, at) => (
          <button key={text} type="button" aria-pressed={at === chosen} onClick={() => setChosen(at)}>
            {text}
          </button>
        ))}
      </fieldset>
      {failure !== undefined && <FailureFace failure={failure} />}
      {value === undefined && isLoading && <Loading what="Reading the records of calls" />}
      {value !== undefined && value.buckets.length === 0 && <Empty title="No calls in this time" />}
      {value !== undefined && value.buckets.length > 0 && (
        <div class={isLoading ? 'outdated' : ''} aria-busy={isLoading}>
          <Durations buckets={value.buckets} />
          <Facts buckets={value.buckets} />
          <h2>Slowest calls</h2>
          <SlowestCalls calls={value.slowest} />
        </div>
      )}
    </section>
  );
}

function Durations({ buckets }: { readonly buckets: readonly PerformanceBucket[] }) {
  const data = useMemo(
    () => ({
      times: buckets.map(({ bucket }) => bucket / 1_000_000),
      series: (['p50', 'p95'] as const).map((name) => ({
        name: `${name}, ms`,
        values: buckets.map((each) => each[name]),
      })),
      omitted: 0,
    }),
    [buckets],
  );
  if (buckets.length < 2) return null;
  return (
    <figure class="card chart-view">
      <figcaption class="quiet">Milliseconds of calls (UTC)</figcaption>
      <TimeChart data={data} type="lines" height={180} label="Milliseconds of calls, p50 and p95" />
    </figure>
  );
}

/** What the time of calls consisted of, in the mean. */
function Facts({ buckets }: { readonly buckets: readonly PerformanceBucket[] }) {
  const sum = (of: (bucket: PerformanceBucket) => number | null) =>
    buckets.reduce((all, each) => all + (of(each) ?? 0), 0);
  const calls = sum((each) => each.calls);
  const mean = (key: 'queue' | 'planning' | 'engine' | 'rows_mean') => {
    const known = buckets.filter((each) => each[key] !== null);
    const weight = known.reduce((all, each) => all + each.calls, 0);
    return weight === 0
      ? undefined
      : known.reduce((all, each) => all + (each[key] ?? 0) * each.calls, 0) / weight;
  };
  const time = (milliseconds: number | undefined) =>
    milliseconds === undefined ? '–' : durationText(milliseconds);
  const longest = Math.max(...buckets.map(({ p95 }) => p95 ?? 0));
  const facts = [
    ['Calls', calls.toLocaleString('en')],
    ['p95, highest', time(longest)],
    ['Queue, mean', time(mean('queue'))],
    ['Planning, mean', time(mean('planning'))],
    ['Engine, mean', time(mean('engine'))],
    ['Rows, mean', mean('rows_mean')?.toLocaleString('en', { maximumFractionDigits: 1 }) ?? '–'],
    [
      'Slices kept, made',
      `${sum((each) => each.kept).toLocaleString('en')}, ${sum((each) => each.made).toLocaleString('en')}`,
    ],
  ] as const;
  return (
    <dl class="settings">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

const parts = [
  { name: 'queue', key: 'queue_ms' },
  { name: 'planning', key: 'planning_ms' },
  { name: 'engine', key: 'engine_ms' },
] as const;

function SlowestCalls({ calls }: { readonly calls: readonly SlowestCall[] }) {
  const longest = Math.max(...calls.map(({ duration_ms }) => duration_ms));
  return (
    <PlainTable
      label="Slowest calls"
      heads={['Ended (UTC)', 'Time', 'Where it went', 'Rows', 'Key', 'Cache', 'Slices', 'Request']}
    >
      {calls.map((call) => (
        <tr key={`${call.timestamp} ${call.request_id}`}>
          <td>{new Date(call.timestamp / 1000).toISOString().slice(0, 19).replace('T', ' ')}</td>
          <td class="number">{durationText(call.duration_ms)}</td>
          <td>
            <TimeBar call={call} longest={longest} />
          </td>
          <td class="number">{call.code ?? (call.row_count ?? 0).toLocaleString('en')}</td>
          <td>
            <bdi>{call.key}</bdi>
          </td>
          <td>{call.cache}</td>
          <td>{call.slices_kept === null ? '' : `${call.slices_kept} + ${call.slices_made ?? 0}`}</td>
          <td>
            <code>{call.request_id}</code>
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

/** The parts of a call's time, as wide as the longest call is long. */
function TimeBar({ call, longest }: { readonly call: SlowestCall; readonly longest: number }) {
  const known = parts.map(({ name, key }) => ({ name, milliseconds: call[key] ?? 0 }));
  const rest = Math.max(0, call.duration_ms - known.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  const all = [...known, { name: 'rest', milliseconds: rest }].filter(({ milliseconds }) => milliseconds > 0);
  const text = all.map(({ name, milliseconds }) => `${name} ${durationText(milliseconds)}`).join(', ');
  return (
    <span class="time-bar" title={text}>
      <span class="time-parts" aria-hidden="true">
        {all.map(({ name, milliseconds }) => (
          <span key={name} class={`time-${name}`} style={{ width: `${(100 * milliseconds) / longest}%` }} />
        ))}
      </span>
      <span class="quiet">{text}</span>
    </span>
  );
}

function Measured({ client, endpoint, values }: Omit<PerformanceTabProps, 'isRecorded'>) {
  const { value, failure, isLoading, load, cancel } = useLoad<QueryProfile>();
  const missing = missingParameters(endpoint.parameters, values);
  return (
    <section aria-label="Plan">
      <h2>Plan</h2>
      <p class="quiet">
        Runs the query with the values of the form, past the cache and its slices, and measures each step.
      </p>
      {missing.length > 0 && <p class="mistake">Fill in {missing.join(', ')}.</p>}
      {isLoading ? (
        <Loading what="Measuring a run" onCancel={cancel} />
      ) : (
        <button
          type="button"
          disabled={missing.length > 0}
          onClick={() =>
            load((signal) => measureRun(client, endpoint, valuesNow(endpoint.parameters, values), signal))
          }
        >
          Measure a run
        </button>
      )}
      {failure !== undefined && <FailureFace failure={failure} />}
      {value !== undefined && <PlanView profile={value} />}
    </section>
  );
}
