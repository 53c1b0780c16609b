import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { hostileJson, mutated, oddText } from './hostile-texts.ts';
import { oddDocument, oddLql, oddSql } from './odd-queries.ts';
import { oddRows } from './odd-rows.ts';
import type { Random } from './random.ts';

/** A request as bytes, one a character. */
export interface FuzzRequest {
  readonly text: string;
  /** Whether it is HTTP for sure, complete and of right length, so that it has to be answered. */
  readonly isComplete: boolean;
  /** How many requests it is, one behind the other. */
  readonly count: number;
  /** The keys that it presents. */
  readonly keys: readonly string[];
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
/** `q` is somebody else's. */
const projects = ['p', 'p', 'q', '.*', 'p|q', 'P', 'q ', ''];
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
/** What is asked with the keys that are given, and with these. */
const ownKeys = ['key', 'key', 'key', 'key', 'key', 'wrong', ''];
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
  'Upgrade',
  'Via',
  'TE',
  'X-HTTP-Method-Override',
  'X-Original-URL',
  'Apollo-Require-Preflight',
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

/**
 * The next request of an endless row.
 *
 * @param given keys beside the one that may do everything
 */
export function fuzzRequest(dice: Random, given: readonly string[] = []): FuzzRequest {
  const next = () => partsOf(dice, [...ownKeys, ...given, ...given]);
  const parts = next();
  const one = { count: 1, isComplete: false, keys: [parts.key] };
  const kind = dice.next();
  if (kind < 0.55) return { ...one, text: written(parts), isComplete: isHttp(parts) };
  if (kind < 0.65) {
    const all = [parts, ...Array.from({ length: 1 + dice.below(3) }, next)];
    const last = all.length - 1;
    return {
      text: all.map((each, place) => written(each, place === last ? 'close' : 'keep-alive')).join(''),
      // What the parser refuses ends the connection, and so do too many headers.
      isComplete: all.every(
        (each) => isHttp(each) && /^[\x21-\x7e]{1,10000}$/.test(each.target) && each.headers.length < 100,
      ),
      count: all.length,
      keys: all.map(({ key }) => key),
    };
  }
  if (kind < 0.75) return { ...one, text: chunked(parts, dice) };
  if (kind < 0.95) return { ...one, text: mutated(written(parts), dice) };
  return { ...one, text: brokenHead(written(parts), dice) };
}

function partsOf(dice: Random, keys: readonly string[]): Parts & { readonly key: string } {
  const key = dice.pick(keys);
  const handler = dice.pick([rest, rest, rest, graphql, graphql, rows, elsewhere]);
  return { ...withHeaders(handler(dice), key, dice), key };
}

function rest(dice: Random): Parts {
  const path = dice.isLess(0.85) ? dice.pick(paths) : `/api/endpoints/query/${oddText(dice)}`;
  const pairs = [
    ...(dice.isLess(0.7) ? [['project', dice.pick(projects)]] : []),
    ...dice.some(parameters, 4).map((name) => [name, parameterValue(name, dice)]),
  ];
  const query = pairs.map(([name, value]) => `${name}=${value}`).join(dice.pick(['&', '&', '&', ';', '&&']));
  const target = `${path}${query === '' ? '' : `?${query}`}`;
  return dice.isLess(0.5)
    ? plain('GET', target)
    : { ...plain('POST', dice.pick([path, target])), ...bodyOf(query, dice) };
}

function parameterValue(name: string, dice: Random): string {
  if (dice.isLess(0.4)) return oddText(dice);
  const text =
    name === 'sql'
      ? oddSql(dice)
      : name === 'lql'
        ? oddLql(dice)
        : dice.pick([...projects, 'hourly', 'daily', '2026-01-01T00:00:00Z', 'true']);
  return encodeURIComponent(dice.isLess(0.5) ? text : mutated(text, dice, 3));
}

function bodyOf(form: string, dice: Random): Pick<Parts, 'headers' | 'body'> {
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
      const json = dice.isLess(0.5) ? hostileJson(dice) : jsonCall(dice);
      return compressed(body('application/json', json), dice);
    }
    default:
      return body('application/json', dice.isLess(0.4) ? jsonCall(dice) : mutated(jsonCall(dice), dice, 3));
  }
}

/** A call in a JSON body, names escaped and standing twice now and then. */
function jsonCall(dice: Random): string {
  const name = dice.pick(['project', 'project', 'pro\\u006aect', '\\u0070roject']);
  const pairs = [
    `"${name}":${JSON.stringify(dice.pick(projects))}`,
    `"sql":${JSON.stringify(oddSql(dice))}`,
    ...dice.some(
      ['"project":"q"', '"project":null', '"sql":""', '"lql":"a"', '"__proto__":{"project":"q"}'],
      2,
    ),
  ];
  return `{${pairs.join(',')}}`;
}

/** A body as its `Content-Encoding` says, or not; now and then one that becomes much larger. */
function compressed({ headers, body: text }: Pick<Parts, 'headers' | 'body'>, dice: Random) {
  const plain = Buffer.from(dice.isLess(0.05) ? `{"a":"${'0'.repeat(20_000_000)}"}` : text, 'latin1');
  const bytes = dice.pick([gzipSync, gzipSync, deflateSync, fastBrotli])(plain).toString('latin1');
  const encoding = dice.pick(['gzip', 'gzip', 'deflate', 'br', 'x-gzip', 'zstd', 'gzip, br', '__proto__']);
  return {
    headers: [...headers, ['Content-Encoding', encoding] as const],
    body: dice.isLess(0.7) ? bytes : mutated(bytes, dice),
  };
}

const fastBrotli = (plain: Buffer) =>
  brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

function graphql(dice: Random): Parts {
  const document = dice.isLess(0.5) ? oddDocument(dice) : mutated(oddDocument(dice), dice, 3);
  const variables = dice.isLess(0.6)
    ? `{"p":${JSON.stringify(dice.pick(projects))},"n":${dice.pick(['1', '0', '-1', '1e400', '"1"', 'null', '[1]'])}}`
    : hostileJson(dice);
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

function rows(dice: Random): Parts {
  const text = dice.isLess(0.3) ? hostileJson(dice) : oddRows(dice);
  const source = dice.isLess(0.8) ? 'edge_logs' : oddText(dice);
  return {
    ...plain(
      'POST',
      `/api/sources/${source}/rows?skip_bad_rows=${dice.pick(['true', 'false', oddText(dice)])}`,
    ),
    ...(dice.isLess(0.8)
      ? body('application/x-ndjson', text)
      : compressed(body('application/x-ndjson', text), dice)),
  };
}

function elsewhere(dice: Random): Parts {
  const path = dice.pick([
    '/',
    '/metrics',
    '/readyz',
    '/livez',
    '/api/endpoints/cache/logs.all',
    '/api/endpoints/cache/usage.api-counts',
    '/graphql',
    '*',
    `/${oddText(dice)}`,
    `/api/endpoints/cache/${oddText(dice)}`,
    '//api/endpoints/query/logs.all',
    '/api/endpoints/query/./logs.all',
    '/API/endpoints/query/logs.all',
    '/api/endpoints/query/logs%2Eall/',
    'http://x/api/endpoints/query/logs.all',
  ]);
  const query = dice.pick([oddText(dice), `project=${dice.pick(projects)}`, 'interval=hourly&project=']);
  return plain(dice.pick(methods), dice.isLess(0.4) ? `${path}?${query}` : path);
}

const plain = (method: string, target: string): Parts => ({ method, target, headers: [], body: '' });
const body = (type: string, text: string): Pick<Parts, 'headers' | 'body'> => ({
  headers: [['Content-Type', type]],
  body: text,
});

function withHeaders(parts: Parts, presented: string, dice: Random): Parts {
  const extra = dice.some(headerNames, 2).map((name) => [name, headerValue(dice)] as const);
  const flood = dice.isLess(0.02)
    ? Array.from({ length: dice.below(500) }, (_, index) => [`X-${index}`, 'x'] as const)
    : [];
  const credential = dice.isLess(0.7)
    ? (['X-API-KEY', presented] as const)
    : (['Authorization', `Bearer ${presented}`] as const);
  const method = dice.isLess(0.95) ? parts.method : dice.pick(methods);
  return { ...parts, method, headers: [['Host', 'x'], credential, ...parts.headers, ...extra, ...flood] };
}

/** No header that frames the message, and nothing that ends a line. */
function headerValue(dice: Random): string {
  return oddText(dice)
    .replace(/[^\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 2_000);
}

function written({ method, target, headers, body: text }: Parts, connection = 'close'): string {
  const lines = [
    ...headers,
    ...(text === '' ? [] : [['Content-Length', String(text.length)]]),
    ['Connection', connection],
  ];
  return `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`;
}

/** Whether Node's parser takes it for HTTP: what it refuses has its 400 from the parser, and is closed. */
function isHttp({ method, target, headers }: Parts): boolean {
  return (
    !/[^\x21-\x7e\x80-\xff]/.test(target) &&
    method !== 'CONNECT' &&
    headers.every(([name]) => name !== 'Expect' && name !== 'Upgrade')
  );
}

function chunked({ method, target, headers, body: text }: Parts, dice: Random): string {
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

function brokenHead(text: string, dice: Random): string {
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
