import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { EndpointChange } from './endpoint-change.ts';

/** What a setting decides. */
export type Effect =
  /** What callers get. */
  | 'answers'
  /** How old an answer can be. */
  | 'age'
  /** Which calls fail. */
  | 'failures'
  /** How an answer is computed or accounted for. */
  | 'none';

/** A setting of endpoints that is compared. */
interface ComparedSetting {
  readonly name: string;
  readonly effect: Effect;
  /** Undefined if it is absent. */
  value(endpoint: Endpoint): unknown;
}

const settings: readonly ComparedSetting[] = [
  { name: 'version', effect: 'none', value: ({ number }) => number },
  { name: 'deprecated', effect: 'none', value: ({ deprecation }) => deprecation },
  { name: 'maxRows', effect: 'answers', value: ({ maxRows }) => maxRows },
  { name: 'maxScanBytes', effect: 'failures', value: ({ maxScanBytes }) => maxScanBytes },
  { name: 'exportRows', effect: 'answers', value: ({ exportRows }) => exportRows },
  { name: 'unknownParameters', effect: 'answers', value: ({ unknownParameters }) => unknownParameters },
  { name: 'sandbox', effect: 'answers', value: ({ sandbox }) => sandbox },
  { name: 'filterable', effect: 'answers', value: ({ filterable }) => filterable !== undefined },
  { name: 'redactPii', effect: 'answers', value: ({ redactPii }) => redactPii },
  { name: 'redact', effect: 'answers', value: ({ redact = [] }) => [...redact].sort() },
  { name: 'columns', effect: 'answers', value: ({ columns }) => columnSettings(columns) },
  { name: 'graphql', effect: 'answers', value: ({ graphql }) => graphql },
  { name: 'cacheSeconds', effect: 'age', value: ({ cacheSeconds }) => cacheSeconds },
  { name: 'staleIfErrorSeconds', effect: 'age', value: ({ staleIfErrorSeconds }) => staleIfErrorSeconds },
  { name: 'warmSeconds', effect: 'none', value: ({ warmSeconds }) => warmSeconds },
  {
    name: 'warm',
    effect: 'none',
    value: ({ warm }) => warm.map((set) => [...set].map(([name, value]) => [name, String(value)])),
  },
  { name: 'liveSeconds', effect: 'none', value: ({ liveSeconds }) => liveSeconds },
  { name: 'timeoutSeconds', effect: 'failures', value: ({ timeoutSeconds }) => timeoutSeconds },
  { name: 'class', effect: 'failures', value: ({ class: ofClass }) => ofClass },
  { name: 'bigquery.maxBytesPerDay', effect: 'failures', value: ({ maxBytesPerDay }) => maxBytesPerDay },
  { name: 'bigquery.maxBytesBilled', effect: 'failures', value: ({ job }) => job.maxBytesBilled },
  { name: 'bigquery.jobTimeoutMs', effect: 'failures', value: ({ job }) => job.jobTimeoutMs },
  { name: 'bigquery.queryCache', effect: 'age', value: ({ job }) => job.queryCache },
  { name: 'bigquery.location', effect: 'failures', value: ({ job }) => job.location },
  { name: 'bigquery.priority', effect: 'none', value: ({ job }) => job.priority },
  { name: 'bigquery.jobCreation', effect: 'none', value: ({ job }) => job.jobCreation },
  { name: 'bigquery.reservation', effect: 'none', value: ({ reservation }) => reservation },
  { name: 'bigquery.allowReservation', effect: 'none', value: ({ allowReservation }) => allowReservation },
  { name: 'labels', effect: 'none', value: ({ labels }) => labels },
];

/** Settings of columns that callers notice. Descriptions aren't. */
function columnSettings(columns: Endpoint['columns']): unknown {
  return [...columns]
    .map(([name, { description: _, ...rest }]) => [name, rest] as const)
    .filter(([, { nullable, ...rest }]) => !nullable || Object.keys(rest).length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What a change of a setting means for answers. */
export const notes: Readonly<Record<Effect, string>> = {
  answers: '',
  age: ' (answers can have another age)',
  failures: ' (calls can fail that did not, or the other way round)',
  none: ' (answers are the same)',
};

/** The differences between the settings of two versions of an endpoint. Descriptions are left out. */
export function settingChanges(before: Endpoint, after: Endpoint): EndpointChange[] {
  return settings.flatMap(({ name, effect, value }) => {
    const [old, now] = [settingText(value(before)), settingText(value(after))];
    if (old === now) return [];
    return [
      {
        ...{ part: 'setting' as const, aspect: name, kind: 'changed', where: '' },
        text: `setting \`${name}\`: ${old} → ${now}${notes[effect]}`,
        isOfAnswers: effect !== 'none',
      },
    ];
  });
}

/** A value of a setting in words. */
export function settingText(value: unknown): string {
  return value === undefined ? 'none' : `\`${JSON.stringify(value)}\``;
}
