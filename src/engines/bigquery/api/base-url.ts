const google = 'https://bigquery.googleapis.com/bigquery/v2';

/**
 * Everything before a call's path. Google's clients take the URL of another server as it is; one without a path, which
 * they would ask at the wrong place, gets BigQuery's.
 */
export function baseUrl(emulatorHost: string | undefined): string {
  if (emulatorHost === undefined) return google;
  const url = emulatorHost.replace(/\/+$/, '');
  return new URL(url).pathname === '/' ? `${url}/bigquery/v2` : url;
}
