import { useEffect, useState } from 'preact/hooks';
import type { Activity, Endpoint } from '../../api/endpoints.ts';
import { Empty, FileErrors } from '../../parts/faces/faces.tsx';
import { manyLines, oneLine } from '../../parts/text/cell-text.ts';
import { counted, durationText, spanText } from '../../parts/text/number-text.ts';
import { formatRoute } from '../../router/route.ts';
import { ofSources, useSession } from '../../session/session.ts';

/** All endpoints that the key may call. */
export default function EndpointsPage() {
  const { endpoints: all, unavailable, refresh } = useSession();
  // The page Explore shows it.
  const endpoints = all.filter((endpoint) => !ofSources(endpoint));
  const [search, setSearch] = useState('');
  const found = searchEndpoints(endpoints, search);

  useEffect(() => {
    // What was there before stays, if this fails; whatever is done next says why.
    refresh().catch(() => {});
  }, []);

  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Endpoints</h1>
        <input
          type="search"
          class="search"
          aria-label="Search endpoints"
          placeholder="Search by name, description, parameter or column"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <span class="quiet" role="status">
          {search === '' ? endpoints.length : `${found.length} of ${endpoints.length}`}
        </span>
      </div>
      {unavailable.map(({ id, name, errors }) => (
        <FileErrors key={id} title={`${name} is not served: its file has errors`} errors={errors} />
      ))}
      {endpoints.length === 0 && unavailable.length === 0 && (
        <Empty title="No endpoints">
          <p class="quiet">This key may not call any endpoint.</p>
        </Empty>
      )}
      {endpoints.length > 0 && found.length === 0 && (
        <Empty title="No endpoint matches">
          <button type="button" onClick={() => setSearch('')}>
            Show all
          </button>
        </Empty>
      )}
      <ul class="endpoints">
        {found.map((endpoint) => (
          <EndpointItem key={endpoint.id} endpoint={endpoint} />
        ))}
      </ul>
    </section>
  );
}

function EndpointItem({ endpoint }: { readonly endpoint: Endpoint }) {
  const { name, description, parameters, cacheSeconds, sandbox, activity, stale } = endpoint;
  const values = new URLSearchParams();
  return (
    <li class="endpoint">
      <a href={formatRoute({ page: 'endpoint', endpoint: name, values })}>{oneLine(name)}</a>
      <p>{description === '' ? <span class="quiet">No description</span> : manyLines(description)}</p>
      <p class="facts">
        <span>
          {parameters.length === 0
            ? 'no parameters'
            : oneLine(parameters.map((parameter) => parameter.name).join(', '))}
        </span>
        <span>{cacheSeconds === 0 ? 'not cached' : `cached for ${spanText(cacheSeconds)}`}</span>
        {sandbox && <span>takes queries</span>}
        {stale && <span class="mistake">its file has errors</span>}
        {activity && <ActivityFacts activity={activity} />}
      </p>
    </li>
  );
}

function ActivityFacts({ activity: { cachedResults, lastRun } }: { readonly activity: Activity }) {
  return (
    <>
      {cachedResults > 0 && <span>{counted(cachedResults, 'cached result')}</span>}
      {lastRun !== null && (
        <span class={lastRun.failed ? 'mistake' : ''} title={lastRun.at}>
          last run: {lastRun.failed ? 'failed' : durationText(lastRun.milliseconds)}
        </span>
      )}
    </>
  );
}

/** The endpoints that contain each word of a text, those with the words in their name first. */
function searchEndpoints(endpoints: readonly Endpoint[], text: string): readonly Endpoint[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const inName = endpoints.filter(({ name }) => hasAll(name, words));
  const elsewhere = endpoints.filter(
    (endpoint) => !inName.includes(endpoint) && hasAll(textOf(endpoint), words),
  );
  return [...inName, ...elsewhere];
}

function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

function textOf({ id, name, description, graphqlField, parameters, columns, tables }: Endpoint): string {
  const names = [...parameters, ...columns, ...tables].map((part) => part.name);
  return [id, name, description, graphqlField, ...names].join('\n');
}
