import { distance } from '../../base/text/suggest.ts';

/** Prefixes that only this program's settings have. */
const ownPrefixes = [
  'ANALYZER_',
  'BIGQUERY_',
  'CACHE_',
  'CORS_',
  'DUCKDB_',
  'ENDPOINTS_',
  'GRAPHIQL_',
  'GRAPHQL_',
  'INGEST_',
  'JWT_',
  'KEYS_',
  'LOG_',
  'METRICS_',
  'RATE_LIMIT_',
  'SHUTDOWN_',
  'UPLOAD_',
  'WARM_',
];

/** Variables that Kubernetes sets for every service: https://kubernetes.io/docs/concepts/services-networking/service/ */
const ofKubernetes = /_(?:SERVICE_HOST|SERVICE_PORT(?:_.*)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_.*)?)?)$/;

/** Shorter names are too similar to unrelated variables, such as `PORTS` and `GHOST`. */
const minLength = 6;

/**
 * Warnings about variables that look like settings but are not: variables with a prefix of the settings, and variables
 * whose name is similar to a setting's.
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
      if (meant !== undefined) return [`Unknown setting ${name}, ignored. Did you mean ${meant}?`];
      const isOwn = ownPrefixes.some((prefix) => name.startsWith(prefix)) && !ofKubernetes.test(name);
      return isOwn ? [`Unknown setting ${name}, ignored.`] : [];
    });
}

/** The setting that differs only by case, by a missing last word (such as a unit), or by one letter, two in long names. */
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
