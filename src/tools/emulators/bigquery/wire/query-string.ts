import { GoogleError } from './google-error.ts';

/** The types of query string parameters. */
export type QueryField = 'string' | 'uint32' | 'int64' | 'bool' | readonly string[];

/**
 * The parameters that all of Google's methods accept. The emulator lacks `fields` and `callback`, which change the
 * response's form.
 */
const standard: Readonly<Record<string, QueryField>> = {
  '$.xgafv': ['1', '2'],
  access_token: 'string',
  alt: ['json'],
  key: 'string',
  oauth_token: 'string',
  prettyPrint: 'bool',
  quotaUser: 'string',
  upload_protocol: 'string',
  uploadType: 'string',
  userIp: 'string',
};

/**
 * Checks the query string of a request.
 *
 * @throws GoogleError badRequest for an unknown, repeated or malformed parameter
 */
export function checkQuery(
  query: URLSearchParams,
  fields: Readonly<Record<string, QueryField>>,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of query) {
    const type = Object.hasOwn(fields, name)
      ? fields[name]
      : Object.hasOwn(standard, name)
        ? standard[name]
        : undefined;
    if (type === undefined) {
      const message = `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`;
      throw GoogleError.badRequest('', message);
    }
    if (values.has(name)) {
      const message = `Invalid JSON payload received. Unknown name "${name}": Proto field is not repeating, cannot start list.`;
      throw GoogleError.badRequest('', message);
    }
    if (!fits(value, type)) {
      const shown = typeof type === 'string' ? `TYPE_${type.toUpperCase()}` : 'TYPE_ENUM';
      throw GoogleError.badRequest(name, `Invalid value at '${name}' (${shown}), ${JSON.stringify(value)}`);
    }
    values.set(name, value);
  }
  return values;
}

function fits(value: string, type: QueryField): boolean {
  if (typeof type !== 'string') return type.includes(value);
  switch (type) {
    case 'string':
      return true;
    case 'bool':
      return value === 'true' || value === 'false';
    case 'uint32':
      return /^\d{1,10}$/.test(value) && Number(value) < 2 ** 32;
    case 'int64':
      return /^\d{1,19}$/.test(value) && BigInt(value) < 2n ** 63n;
  }
}
