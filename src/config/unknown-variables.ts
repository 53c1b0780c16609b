import { distance } from '../nearness.ts';

/** Prefixes that no other program uses on its way past this one. */
const ownPrefixes = [
  'ANALYZER_',
  'BIGQUERY_',
  'CACHE_',
  'DUCKDB_',
  'GRAPHIQL_',
  'GRAPHQL_',
  'KEYS_',
  'LOG_',
  'METRICS_',
  'RATE_LIMIT_',
  'SHUTDOWN_',
  'UPLOAD_',
  'WARM_',
];

/** What Kubernetes tells every process of each service: https://kubernetes.io/docs/concepts/services-networking/service/ */
const ofKubernetes = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.*)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_.*)?)?)$/;

/** Shorter names have too many neighbours: `PORTS` and `GHOST` mean something else. */
const minLength = 6;

/**
 * Sentences about variables that look as if they were meant as settings, and are none: those with a prefix of the settings, and
 * those whose names are nearly that of one.
 *
 * @param known the names of all settings
 */
export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const names = new Set(known);
  return Object.keys(environment)
    .filter((name) => !names.has(name) && environment[name] !== '')
    .sort()
    .flatMap((name) => {
      const meant = nearest(name, known);
      if (meant !== undefined) return [`${name} is no setting and changes nothing. Is ${meant} meant?`];
      const isOwn = ownPrefixes.some((prefix) => name.startsWith(prefix)) && !ofKubernetes.test(name);
      return isOwn ? [`${name} is no setting and changes nothing.`] : [];
    });
}

/** The setting that differs by case, by its last word, which may be its unit, or by one letter, or, of long names, by two. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const written = name.toUpperCase();
  if (known.includes(written)) return written;
  const longer = known.filter((setting) => written.includes('_') && setting.startsWith(`${written}_`));
  if (longer.length === 1) return longer[0];
  return known.find((setting) => {
    if (setting.length < minLength || Math.abs(setting.length - written.length) > 2) return false;
    return distance(written, setting) <= (setting.length < 10 ? 1 : 2);
  });
}
