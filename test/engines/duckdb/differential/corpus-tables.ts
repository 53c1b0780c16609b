import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Row, Value } from '../../../../src/sql/values/value.ts';
import { SeededRandom } from './seeded-random.ts';
import { array, bool, columns, float64, int64, string, struct, timestamp } from './table-types.ts';
import type { TestTable } from './tables.ts';

/** The tables of the queries in `queries/corpus/`: small ones in the forms of those that people ask most about. */

const dice = new SeededRandom(7);
const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));
const second = 1_000_000n;
const day = 86_400n * second;
const epoch = BigInt(Date.UTC(2026, 0, 28)) * 1000n;
const json: SqlType = { kind: 'JSON' };
const date: SqlType = { kind: 'DATE' };
const datetime: SqlType = { kind: 'DATETIME' };
const numeric: SqlType = { kind: 'NUMERIC' };

const digitsOf = (micros: bigint) =>
  new Date(Number(micros / 1000n)).toISOString().slice(0, 10).replaceAll('-', '');
const suffix = [{ name: '_TABLE_SUFFIX', type: string }];

type EventValue = readonly [
  text: string | null,
  int: bigint | null,
  float: number | null,
  double: number | null,
];
const texts = (value: string | null): EventValue => [value, null, null, null];
const ints = (value: number): EventValue => [null, BigInt(value), null, null];

function eventParams(session: number, page: string | null, engaged: number): Value {
  const params: [string, EventValue | null][] = [['ga_session_id', ints(session)]];
  if (page !== null) params.push(['page_location', texts(page)]);
  if (dice.fraction() < 0.6) params.push(['engagement_time_msec', ints(engaged)]);
  if (dice.fraction() < 0.4) params.push(['session_engaged', texts(dice.pick(['0', '1']))]);
  if (dice.fraction() < 0.3) params.push(['page_title', texts(dice.pick(['Home', 'Über uns', '', null]))]);
  if (dice.fraction() < 0.2) params.push(['value', [null, null, null, dice.below(400) / 8]]);
  if (dice.fraction() < 0.1) params.push(['source', dice.pick([texts('newsletter'), null])]);
  return params;
}

/** Sessions of a few visitors over four days, of which the last days are of another month. */
const analyticsEvents: TestTable = {
  name: 'ga.events_*',
  columns: columns({
    timestamp,
    event_date: string,
    event_timestamp: int64,
    event_name: string,
    event_params: array(
      struct({
        key: string,
        value: struct({
          string_value: string,
          int_value: int64,
          float_value: float64,
          double_value: float64,
        }),
      }),
    ),
    user_pseudo_id: string,
    user_id: string,
    device: struct({ category: string, operating_system: string, web_info: struct({ browser: string }) }),
    geo: struct({ country: string, city: string }),
    traffic_source: struct({ name: string, medium: string, source: string }),
    ecommerce: struct({ transaction_id: string, purchase_revenue: float64 }),
    items: array(struct({ item_id: string, item_name: string, price: float64, quantity: int64 })),
  }),
  pseudoColumns: suffix,
  rows: list(140, (i) => {
    const visitor = dice.below(9);
    const session = 1000 + visitor * 10 + dice.below(3);
    const at = epoch + BigInt(session % 4) * day + dice.int64(7200) * second + BigInt(i);
    const name = dice.pick([
      'page_view',
      'page_view',
      'page_view',
      'session_start',
      'user_engagement',
      'scroll',
      'view_item',
      'add_to_cart',
      'begin_checkout',
      'purchase',
    ]);
    const page = dice.pick([
      'https://shop.example/',
      'https://shop.example/p/1?utm_source=mail&utm_medium=email',
      'https://shop.example/p/2?id=7#top',
      'https://shop.example/checkout',
      'https://shop.example/suche?q=caf%C3%A9',
      null,
    ]);
    const isSale = name === 'purchase';
    const row: Row = [
      at,
      digitsOf(at),
      at,
      name,
      dice.fraction() < 0.05 ? [] : eventParams(session, page, dice.below(90_000)),
      dice.maybe(0.05, `${4000 + visitor}.17${visitor}`),
      visitor % 3 === 0 ? `u${visitor}` : null,
      dice.maybe(0.05, [
        dice.pick(['desktop', 'mobile', 'tablet']),
        dice.pick(['Android', 'iOS', 'Windows', null]),
        dice.maybe(0.2, [dice.pick(['Chrome', 'Safari', 'Firefox'])]),
      ]),
      [
        dice.pick(['Germany', 'Brazil', 'Japan', '(not set)']),
        dice.pick(['Berlin', 'São Paulo', '東京', '', null]),
      ],
      dice.pick<Value[]>([
        ['(direct)', '(none)', '(direct)'],
        ['spring', 'cpc', 'google'],
        ['(organic)', 'organic', 'google'],
        ['(referral)', 'referral', 'news.example'],
        [null, null, null],
      ]),
      isSale ? [`T${i}`, dice.below(1000) / 4] : [null, null],
      ['view_item', 'add_to_cart', 'begin_checkout', 'purchase'].includes(name)
        ? list(dice.below(4), () => [
            `sku${dice.below(5)}`,
            dice.pick(['Tasse', 'Mug "L"', null]),
            dice.maybe(0.1, dice.below(80) / 4),
            dice.maybe(0.2, dice.int64(4)),
          ])
        : [],
    ];
    return [...row, digitsOf(at)];
  }),
};

const agents = [
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile Safari/604.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'curl/8.4.0',
  'python-requests/2.31',
  '',
  null,
] as const;

/** Logs of a few services, by day. */
const serviceLogs: TestTable = {
  name: 'logs.ev_*',
  columns: columns({
    id: string,
    timestamp,
    level: string,
    service: string,
    host: string,
    method: string,
    path: string,
    status: int64,
    latency_ms: float64,
    bytes: int64,
    ip: string,
    user_agent: string,
    message: string,
    labels: array(struct({ key: string, value: string })),
    payload: string,
  }),
  pseudoColumns: suffix,
  rows: list(160, (i) => {
    const at = epoch + day * dice.int64(5) + dice.int64(6 * 3600) * second + dice.pick([0n, 250_000n, 1n]);
    const status = dice.pick([200n, 200n, 200n, 204n, 301n, 404n, 429n, 500n, 503n, null]);
    return [
      `l${String(i).padStart(3, '0')}`,
      at,
      dice.pick(['INFO', 'INFO', 'WARN', 'ERROR', 'debug', null]),
      dice.pick(['api', 'web', 'billing']),
      `node-${dice.below(3)}`,
      dice.pick(['GET', 'GET', 'POST', 'DELETE']),
      dice.pick([
        '/v1/users/17',
        '/v1/users/23/orders',
        '/v1/orders?limit=10&page=2',
        '/static/app.9f86d081.js',
        '/wp-login.php',
        '/Straße/ü',
        '',
      ]),
      status,
      dice.maybe(0.08, dice.pick([0.5, 3.25, 12, 47.5, 101, 250.25, 999.5, 2000])),
      dice.maybe(0.1, dice.int64(50_000)),
      dice.pick(['10.1.2.3', '10.1.9.77', '203.0.113.9', '2001:db8::1', 'unknown', null]),
      dice.pick(agents),
      dice.pick([
        'user 17 logged in from 10.1.2.3 in 31ms',
        'request 4f2a9c1e-7b1d-4e0a-9d51-0c9f1ab23cd4 failed: timeout after 3000 ms',
        'cache miss key=user:23 ttl=60',
        'payment 0x1F4 declined code=51',
        'disk /dev/sda1 at 91.5% on node-2',
        'línea con acentos y 日本語',
        '',
        null,
      ]),
      list(dice.below(3), () => [
        dice.pick(['team', 'env', 'release']),
        dice.pick(['core', 'prod', 'staging', '1.2.3', '', null]),
      ]),
      dice.pick([
        '{"user":{"id":17,"plan":"pro"},"tags":["a","b"],"ms":31.5,"ok":true}',
        '{"user":{"id":"23"},"tags":[],"ms":null,"error":{"code":51,"message":"declined"}}',
        '{"user":null,"items":[{"sku":"x","n":2},{"sku":"y"}],"a.b":1}',
        '[1,2,{"x":3}]',
        '"text"',
        'not json',
        '',
        null,
      ]),
      digitsOf(at),
    ];
  }),
};

/** Audit logs of a cloud, exported. */
const auditLogs: TestTable = {
  name: 'audit.activity',
  columns: columns({
    timestamp,
    insertId: string,
    severity: string,
    logName: string,
    resource: struct({ type: string, labels: struct({ project_id: string, location: string }) }),
    protopayload_auditlog: struct({
      serviceName: string,
      methodName: string,
      resourceName: string,
      status: struct({ code: int64, message: string }),
      authenticationInfo: struct({ principalEmail: string, serviceAccountKeyName: string }),
      requestMetadata: struct({ callerIp: string, callerSuppliedUserAgent: string }),
      authorizationInfo: array(struct({ resource: string, permission: string, granted: bool })),
      requestJson: string,
      servicedata_v1_iam: struct({
        policyDelta: struct({
          bindingDeltas: array(struct({ action: string, role: string, member: string })),
        }),
      }),
    }),
    jsonPayload: json,
  }),
  rows: list(90, (i) => [
    epoch + dice.int64(3 * 86_400) * second,
    `i${i}`,
    dice.pick(['NOTICE', 'ERROR', 'INFO']),
    dice.pick([
      'projects/p1/logs/cloudaudit.googleapis.com%2Factivity',
      'projects/p2/logs/cloudaudit.googleapis.com%2Fdata_access',
    ]),
    [
      dice.pick(['gce_instance', 'bigquery_resource', 'project']),
      [dice.pick(['p1', 'p2']), dice.pick(['eu', null])],
    ],
    dice.fraction() < 0.05
      ? null
      : [
          dice.pick([
            'iam.googleapis.com',
            'compute.googleapis.com',
            'bigquery.googleapis.com',
            'storage.googleapis.com',
          ]),
          dice.pick([
            'SetIamPolicy',
            'google.iam.admin.v1.CreateServiceAccountKey',
            'v1.compute.firewalls.insert',
            'jobservice.jobcompleted',
            'storage.objects.get',
            null,
          ]),
          dice.pick(['projects/p1/serviceAccounts/77', 'projects/_/buckets/b-1/objects/a/b.txt', '']),
          dice.pick<Value>([[null, null], [7n, 'PERMISSION_DENIED'], [5n, 'not found'], null]),
          [
            dice.pick([
              'ana@corp.example',
              'bob@corp.example',
              'eve@gmail.com',
              'bot@p1.iam.gserviceaccount.com',
              null,
            ]),
            null,
          ],
          [
            dice.pick(['198.51.100.4', '10.0.0.8', 'gce-internal-ip', null]),
            dice.pick(['gcloud/450', 'Terraform/1.5', null]),
          ],
          list(dice.below(3), () => [
            'projects/p1',
            dice.pick(['storage.objects.get', 'compute.firewalls.create', 'iam.serviceAccountKeys.create']),
            dice.pick([true, false, null]),
          ]),
          dice.pick([
            '{"policy":{"bindings":[{"role":"roles/owner","members":["user:eve@gmail.com","allUsers"]}]}}',
            '{"firewall":{"sourceRanges":["0.0.0.0/0"],"allowed":[{"IPProtocol":"tcp","ports":["22","80-90"]}]}}',
            '{"job":{"statistics":{"totalBilledBytes":"10485760","slotMs":731}}}',
            '{}',
            null,
          ]),
          dice.fraction() < 0.6
            ? null
            : [
                [
                  list(1 + dice.below(2), () => [
                    dice.pick(['ADD', 'REMOVE']),
                    dice.pick(['roles/owner', 'roles/viewer', 'roles/editor']),
                    dice.pick(['user:ana@corp.example', 'user:eve@gmail.com', 'allUsers']),
                  ]),
                ],
              ],
        ],
    dice.pick([
      '{"count":3,"hosts":["a","b"],"rule":"r1"}',
      '{"nested":{"deep":[1,[2]]},"rule":"r2"}',
      'null',
      null,
    ]),
  ]),
};

/** Requests of crawled pages. */
const pageRequests: TestTable = {
  name: 'crawl.requests',
  columns: columns({
    date,
    client: string,
    page: string,
    rank: int64,
    type: string,
    url: string,
    summary: json,
    response_headers: array(struct({ name: string, value: string })),
    technologies: array(struct({ technology: string, categories: array(string), info: array(string) })),
    lighthouse: string,
  }),
  rows: list(80, () => [
    dice.pick(['2026-01-01', '2026-02-01', '2026-03-01']),
    dice.pick(['desktop', 'mobile']),
    dice.pick(['https://a.example/', 'https://www.b.co.uk/', 'https://münchen.example/']),
    dice.pick([1000n, 10_000n, null]),
    dice.pick(['html', 'script', 'image', 'font', 'css']),
    dice.pick([
      'https://cdn.a.example/x.js?v=1',
      'http://b.co.uk/y.PNG',
      'https://fonts.example/z.woff2',
      'data:,',
    ]),
    dice.maybe(
      0.1,
      dice.pick([
        '{"expAge":0,"method":"GET","mime":"text/javascript","respSize":12345,"time":81.5}',
        '{"method":"POST","mime":"image/png","priority":"High","respSize":"678"}',
        '{"respSize":null,"timings":{"wait":[1,2,3]}}',
        '{}',
      ]),
    ),
    list(dice.below(4), () => [
      dice.pick(['Cache-Control', 'content-type', 'Server', 'X-Powered-By']),
      dice.pick(['max-age=31536000, immutable', 'no-store', 'text/html; charset=utf-8', 'nginx/1.25', '']),
    ]),
    list(dice.below(3), () => [
      dice.pick(['WordPress', 'React', 'jQuery']),
      dice.pick([['CMS'], ['JavaScript frameworks', 'UI'], []]),
      dice.pick([['6.4'], ['3.7.1', ''], []]),
    ]),
    dice.pick([
      '{"categories":{"performance":{"score":0.91}},"audits":{"unused-css":{"details":{"items":[{"url":"u1","wastedBytes":1200},{"url":"u2","wastedBytes":30}]}}}}',
      '{"categories":{"performance":{"score":null}},"audits":{}}',
      null,
    ]),
  ]),
};

/** Events of repositories. */
const repositoryEvents: TestTable = {
  name: 'hub.events',
  columns: columns({
    id: string,
    type: string,
    public: bool,
    created_at: timestamp,
    actor: struct({ id: int64, login: string }),
    repo: struct({ id: int64, name: string }),
    payload: string,
  }),
  rows: list(100, (i) => {
    const actor = dice.below(7);
    const repo = dice.below(4);
    const [type, payload] = dice.pick<readonly [string, string | null]>([
      [
        'PushEvent',
        `{"size":${dice.below(4)},"ref":"refs/heads/main","commits":[{"sha":"a1","message":"fix: ü\\nmore"},{"sha":"b2"}]}`,
      ],
      [
        'PullRequestEvent',
        '{"action":"opened","number":7,"pull_request":{"merged":false,"additions":12,"labels":[{"name":"bug"}]}}',
      ],
      [
        'PullRequestEvent',
        '{"action":"closed","number":7,"pull_request":{"merged":true,"additions":120,"labels":[]}}',
      ],
      [
        'IssuesEvent',
        '{"action":"opened","issue":{"title":"It\'s \\"broken\\"","labels":[{"name":"bug"},{"name":"p1"}]}}',
      ],
      ['WatchEvent', '{"action":"started"}'],
      ['ForkEvent', null],
      ['PushEvent', '{"size":0,"commits":[]}'],
    ]);
    return [
      String(9000 + i),
      type,
      true,
      epoch + dice.int64(40 * 86_400) * second,
      [BigInt(actor), dice.pick([`dev${actor}`, `dev${actor}`, 'dependabot[bot]'])],
      [BigInt(repo), dice.maybe(0.05, `org${repo % 2}/repo-${repo}`)],
      payload,
    ];
  }),
};

const questions: TestTable = {
  name: 'qa.questions',
  columns: columns({
    id: int64,
    title: string,
    tags: string,
    owner_user_id: int64,
    creation_date: timestamp,
    score: int64,
    view_count: int64,
    accepted_answer_id: int64,
  }),
  rows: list(60, (i) => [
    BigInt(i + 1),
    dice.pick(['How to parse JSON?', 'Why is NULL <> NULL', 'Wie geht das?', 'c++ vs C#', null]),
    dice.pick(['python|pandas', 'sql|google-bigquery|json', 'c++', 'c#|.net', '', 'python', null]),
    dice.maybe(0.1, dice.int64(8)),
    epoch - dice.int64(800) * day + dice.int64(86_400) * second,
    dice.int64(30) - 5n,
    dice.int64(9000),
    dice.maybe(0.5, 100n + dice.int64(80)),
  ]),
};

const answers: TestTable = {
  name: 'qa.answers',
  columns: columns({
    id: int64,
    parent_id: int64,
    owner_user_id: int64,
    creation_date: timestamp,
    score: int64,
    body: string,
  }),
  rows: list(80, (i) => [
    100n + BigInt(i),
    1n + dice.int64(60),
    dice.maybe(0.1, dice.int64(8)),
    epoch - dice.int64(700) * day,
    dice.int64(20) - 3n,
    dice.pick([
      '<p>Use <code>JSON_VALUE</code></p>',
      '<p>see https://docs.example/x and http://y.example</p>',
      '',
      null,
    ]),
  ]),
};

const customers: TestTable = {
  name: 'shop.customers',
  columns: columns({
    id: int64,
    name: string,
    email: string,
    signup: date,
    country: string,
    segment: string,
  }),
  rows: list(14, (i) => [
    BigInt(i),
    dice.pick(['Ana Müller', 'BOB  SMITH', "O'Neil", '李雷', null]),
    dice.pick(['ana@x.example', 'Bob@Y.example', 'broken', null]),
    `2026-0${1 + dice.below(3)}-${String(1 + dice.below(28)).padStart(2, '0')}`,
    dice.pick(['DE', 'BR', 'JP', null]),
    dice.pick(['new', 'loyal', 'vip']),
  ]),
};

const orders: TestTable = {
  name: 'shop.orders',
  columns: columns({
    order_id: int64,
    customer_id: int64,
    ordered: date,
    ordered_at: datetime,
    status: string,
    channel: string,
    amount: numeric,
    qty: int64,
    discount: float64,
    skus: array(string),
  }),
  rows: list(90, (i) => {
    const at = new Date(Date.UTC(2026, 0, 1 + dice.below(120), dice.below(24), dice.below(60)));
    const clock = at.toISOString().slice(0, 19);
    return [
      BigInt(i),
      dice.maybe(0.05, dice.int64(16)),
      clock.slice(0, 10),
      clock,
      dice.pick(['paid', 'paid', 'shipped', 'cancelled', 'returned', null]),
      dice.pick(['web', 'app', 'store']),
      dice.maybe(0.05, dice.pick(['19.99', '5', '120.5', '0', '-7.25', '1000000.000000001'])),
      dice.int64(6),
      dice.maybe(0.3, dice.pick([0, 0.05, 0.125, 0.5])),
      list(dice.below(3), () => dice.pick(['tea', 'cup', 'pot'])),
    ];
  }),
};

/** A wide table of quarters, and a tree of employees. */
const quarters: TestTable = {
  name: 'shop.quarters',
  columns: columns({
    product: string,
    year: int64,
    q1: int64,
    q2: int64,
    q3: int64,
    q4: int64,
    note: string,
  }),
  rows: [
    ['tea', 2025n, 10n, 20n, null, 40n, 'ok'],
    ['tea', 2026n, 12n, null, null, null, null],
    ['cup', 2025n, 0n, -3n, 7n, 7n, ''],
    ['pot', 2026n, null, null, null, null, 'none'],
  ],
};

const employees: TestTable = {
  name: 'shop.employees',
  columns: columns({ id: int64, name: string, boss: int64, salary: int64, team: string }),
  rows: [
    [1n, 'Ida', null, 900n, 'board'],
    [2n, 'Max', 1n, 500n, 'dev'],
    [3n, 'Zoë', 1n, 500n, 'ops'],
    [4n, 'Lee', 2n, 300n, 'dev'],
    [5n, 'Kim', 2n, 310n, 'dev'],
    [6n, 'Ulf', 3n, null, 'ops'],
    [7n, 'Eve', 4n, 120n, null],
    [8n, 'Lost', 99n, 100n, 'dev'],
  ],
};

/** Readings of sensors with gaps. */
const readings: TestTable = {
  name: 'iot.readings',
  columns: columns({ device: string, measured: timestamp, value: float64, ok: bool, state: string }),
  rows: list(90, (i) => [
    `d${i % 3}`,
    epoch + BigInt(Math.floor(i / 3) * 60 + (dice.fraction() < 0.15 ? 400 : 0) + dice.below(3)) * second,
    dice.maybe(0.1, dice.pick([20, 20.5, 21, 21.25, 19.75, 99, -40])),
    dice.maybe(0.1, dice.fraction() < 0.8),
    dice.pick(['on', 'on', 'off', null]),
  ]),
};

export const corpusTables: readonly TestTable[] = [
  ...[analyticsEvents, serviceLogs, auditLogs, pageRequests, repositoryEvents],
  ...[questions, answers, customers, orders, quarters, employees, readings],
];
