import { gzipSync } from 'node:zlib';
import type { Dice } from './dice.ts';
import { hostileJson, mutated, oddText } from './hostile-texts.ts';

/** A request as bytes, one a character. */
export interface FuzzRequest {
  readonly text: string;
  /** Whether it is HTTP for sure, complete and of right length, so that it has to be answered. */
  readonly isComplete: boolean;
}

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

const paths = [
  '/api/endpoints/query/logs.all',
  '/api/endpoints/query/usage.api-counts',
  '/api/endpoints/query/name/logs.all',
  '/endpoints/query/logs.all',
];
const parameters = [
  'project',
  'interval',
  'iso_timestamp_start',
  'iso_timestamp_end',
  'sql',
  'lql',
  'api_key',
  'dry_run',
];
const sqls = [
  'SELECT timestamp, event_message FROM edge_logs LIMIT 3',
  'SELECT r.path, COUNT(*) AS n FROM edge_logs, UNNEST(metadata) AS m, UNNEST(m.request) AS r GROUP BY path',
  "SELECT SAFE_CAST('x' AS INT64), 1/0, ARRAY<INT64>[1,2][OFFSET(7)] FROM auth_logs",
];
const lqls = [
  'f:edge_logs m.response.status_code:>=500 t:last@1h',
  's:event_message "a b" -c',
  'm.request.path:~"^/x"',
];
const documents = [
  '{ usageApiCounts(interval: MINUTELY, project: "p") { timestamp totalRestRequests } }',
  'query Q($p: String!) { logsAllTables(project: $p) { authLogs(limit: 5) { timestamp eventMessage } } }',
  '{ __schema { types { name fields { name type { name ofType { name } } } } } }',
  'query A { __typename } query B { a: __typename b: __typename @skip(if: true) }',
  'fragment F on Query { __typename ...F } { ...F }',
];
const keys = ['key', 'key', 'key', 'key', 'key', 'wrong', ''];
const methods = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'CONNECT',
];
const headerNames = [
  'Accept',
  'Accept-Encoding',
  'Content-Encoding',
  'Content-Type',
  'If-None-Match',
  'X-Request-Id',
  'traceparent',
  'tracestate',
  'LF-ENDPOINT-LABELS',
  'LF-ENDPOINT-REDACT-PII',
  'LF-ENDPOINT-BIGQUERY-RESERVATION',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'Origin',
  'Access-Control-Request-Method',
  'Authorization',
  'X-API-KEY',
  'Expect',
  'Range',
  'Cookie',
  '__proto__',
  'constructor',
];
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  'application/x-ndjson',
  'application/graphql',
  ';;;',
];

/** The next request of an endless row. */
export function fuzzRequest(dice: Dice): FuzzRequest {
  const parts = withHeaders(dice.pick([rest, rest, rest, graphql, graphql, rows, elsewhere])(dice), dice);
  const kind = dice.next();
  if (kind < 0.6) return { text: written(parts), isComplete: isHttp(parts) };
  if (kind < 0.75) return { text: chunked(parts, dice), isComplete: false };
  if (kind < 0.95) return { text: mutated(written(parts), dice), isComplete: false };
  return { text: brokenHead(written(parts), dice), isComplete: false };
}

function rest(dice: Dice): Parts {
  const path = dice.isLess(0.85) ? dice.pick(paths) : `/api/endpoints/query/${oddText(dice)}`;
  const pairs = [
    ...(dice.isLess(0.7) ? [['project', 'p']] : []),
    ...dice.some(parameters, 4).map((name) => [name, parameterValue(name, dice)]),
  ];
  const query = pairs.map(([name, value]) => `${name}=${value}`).join(dice.pick(['&', '&', '&', ';', '&&']));
  const target = `${path}${query === '' ? '' : `?${query}`}`;
  return dice.isLess(0.5)
    ? plain('GET', target)
    : { ...plain('POST', dice.pick([path, target])), ...bodyOf(query, dice) };
}

function parameterValue(name: string, dice: Dice): string {
  if (dice.isLess(0.4)) return oddText(dice);
  const text =
    name === 'sql'
      ? dice.pick(sqls)
      : name === 'lql'
        ? dice.pick(lqls)
        : dice.pick(['p', 'hourly', '2026-01-01T00:00:00Z', 'true']);
  return encodeURIComponent(dice.isLess(0.5) ? text : mutated(text, dice, 3));
}

function bodyOf(form: string, dice: Dice): Pick<Parts, 'headers' | 'body'> {
  switch (dice.below(5)) {
    case 0:
      return body('application/x-www-form-urlencoded', form);
    case 1: {
      const text = `--x\r\nContent-Disposition: form-data; name="project"\r\n\r\n${oddText(dice)}\r\n--x--\r\n`;
      return body('multipart/form-data; boundary=x', dice.isLess(0.5) ? text : mutated(text, dice));
    }
    case 2:
      return body(dice.pick(contentTypes), hostileJson(dice));
    case 3: {
      const zipped = gzipSync(Buffer.from(hostileJson(dice), 'latin1')).toString('latin1');
      const { headers, body: sent } = body(
        'application/json',
        dice.isLess(0.5) ? zipped : mutated(zipped, dice),
      );
      return {
        headers: [
          ...headers,
          ['Content-Encoding', dice.pick(['gzip', 'deflate', 'br', 'x-gzip', 'zstd', '__proto__'])],
        ],
        body: sent,
      };
    }
    default:
      return body(
        'application/json',
        mutated(`{"project":"p","sql":${JSON.stringify(dice.pick(sqls))}}`, dice, 3),
      );
  }
}

function graphql(dice: Dice): Parts {
  const document = dice.isLess(0.4) ? dice.pick(documents) : mutated(dice.pick(documents), dice, 3);
  const variables = dice.isLess(0.5) ? '{"p":"p"}' : hostileJson(dice);
  if (dice.isLess(0.3)) {
    const query = dice.isLess(0.8)
      ? encodeURIComponent(document)
      : document.replaceAll(' ', '+').replaceAll('\n', '');
    return plain('GET', `/graphql?query=${query}&variables=${encodeURIComponent(variables)}`);
  }
  const operation = `{"query":${JSON.stringify(document)},"variables":${variables}}`;
  const text = dice.pick([
    operation,
    operation,
    `[${operation},${operation}]`,
    mutated(operation, dice, 3),
    hostileJson(dice),
  ]);
  return {
    ...plain('POST', '/graphql'),
    ...body(dice.isLess(0.9) ? 'application/json' : dice.pick(contentTypes), text),
  };
}

function rows(dice: Dice): Parts {
  const row = '{"id":"1","timestamp":"2026-01-01T00:00:00Z","event_message":"x","metadata":[]}';
  const text = dice.isLess(0.5) ? mutated(`${row}\n${row}`, dice) : hostileJson(dice);
  const source = dice.isLess(0.8) ? 'edge_logs' : oddText(dice);
  return {
    ...plain(
      'POST',
      `/api/sources/${source}/rows?skip_bad_rows=${dice.pick(['true', 'false', oddText(dice)])}`,
    ),
    ...body('application/x-ndjson', text),
  };
}

function elsewhere(dice: Dice): Parts {
  const path = dice.pick([
    '/',
    '/metrics',
    '/readyz',
    '/livez',
    '/api/endpoints/cache/logs.all',
    '/graphql',
    '*',
    `/${oddText(dice)}`,
  ]);
  return plain(dice.pick(methods), dice.isLess(0.2) ? `${path}?${oddText(dice)}` : path);
}

const plain = (method: string, target: string): Parts => ({ method, target, headers: [], body: '' });
const body = (type: string, text: string): Pick<Parts, 'headers' | 'body'> => ({
  headers: [['Content-Type', type]],
  body: text,
});

function withHeaders(parts: Parts, dice: Dice): Parts {
  const extra = dice.some(headerNames, 2).map((name) => [name, headerValue(dice)] as const);
  const flood = dice.isLess(0.02)
    ? Array.from({ length: dice.below(500) }, (_, index) => [`X-${index}`, 'x'] as const)
    : [];
  const key = [dice.pick(['X-API-KEY', 'X-API-KEY', 'Authorization']), dice.pick(keys)] as const;
  const credential = key[0] === 'Authorization' ? ([key[0], `Bearer ${key[1]}`] as const) : key;
  const method = dice.isLess(0.95) ? parts.method : dice.pick(methods);
  return { ...parts, method, headers: [['Host', 'x'], credential, ...parts.headers, ...extra, ...flood] };
}

/** No header that frames the message, and nothing that ends a line. */
function headerValue(dice: Dice): string {
  return oddText(dice)
    .replace(/[^\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 2_000);
}

function written({ method, target, headers, body: text }: Parts): string {
  const lines = [
    ...headers,
    ...(text === '' ? [] : [['Content-Length', String(text.length)]]),
    ['Connection', 'close'],
  ];
  return `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`;
}

/** Whether Node's parser takes it for HTTP: what it refuses has its 400 from the parser, and is closed. */
function isHttp({ method, target, headers }: Parts): boolean {
  return (
    !/[^\x21-\x7e\x80-\xff]/.test(target) &&
    method !== 'CONNECT' &&
    headers.every(([name]) => name !== 'Expect')
  );
}

function chunked({ method, target, headers, body: text }: Parts, dice: Dice): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const sizes = [
    text.length.toString(16),
    '0',
    'ffffffffffffffff',
    '-1',
    'zz',
    '',
    '1',
    `${text.length.toString(16)};ext=1`,
    ' 5',
  ];
  const size = dice.isLess(0.5) ? text.length.toString(16) : dice.pick(sizes);
  const encoding = dice.pick([
    'chunked',
    'chunked',
    'chunked',
    'Chunked',
    'gzip, chunked',
    'chunked, chunked',
    'identity',
    'x',
  ]);
  const end = dice.pick(['0\r\n\r\n', '0\r\n\r\n', '0\r\nTrailer: x\r\n\r\n', '0\r\n', '']);
  return `${method} ${target} HTTP/1.1\r\n${lines}Transfer-Encoding: ${encoding}\r\nConnection: close\r\n\r\n${size}\r\n${text}\r\n${end}`;
}

function brokenHead(text: string, dice: Dice): string {
  switch (dice.below(7)) {
    case 0:
      return text.replaceAll('\r\n', '\n');
    case 1:
      return text.replace(
        'HTTP/1.1',
        dice.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', 'http/1.1', '']),
      );
    case 2:
      return text.replace(
        'Host: x\r\n',
        dice.pick(['', 'Host: a\r\nHost: b\r\n', 'Host: %\r\n', 'Host: \xff\r\n', 'Host:\r\n x\r\n']),
      );
    case 3:
      return text.replace(/ \//, ' http://other.example/');
    case 4:
      return text.replace(
        '\r\n\r\n',
        `\r\nContent-Length: ${dice.pick(['-1', '1', '99999999999999999999', 'x', '1, 1'])}\r\n\r\n`,
      );
    case 5:
      return text.slice(0, dice.below(text.length));
    default:
      return text.replace('\r\n', `\r\n${'X-Long: '}${'x'.repeat(dice.below(100_000))}\r\n`);
  }
}
