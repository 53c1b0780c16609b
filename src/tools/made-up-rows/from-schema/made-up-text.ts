import { isoMicros } from '../making/instant.ts';
import type { Random } from '../making/random.ts';
import {
  environments,
  levels,
  messages,
  methods,
  networks,
  paths,
  people,
  places,
  states,
  statusCodes,
  userAgents,
} from './words.ts';

/** Makes a value for a row at an instant, in microseconds since the epoch. */
export type Maker<T> = (random: Random, at: number) => T;

/** Names of columns, in snake case, and the texts that such columns have. The first that matches is used. */
const byName: readonly (readonly [RegExp, Maker<string>])[] = [
  [/(?:^|_)(?:uuid|guid|request_id|event_id|session_id)$/, (random) => random.uuid()],
  [/(?:^|_)(?:trace_id)$/, (random) => random.hex(32)],
  [/(?:^|_)(?:span_id|sha|hash|digest|token|etag|ray)$/, (random) => random.hex(16)],
  [/(?:^|_)e?mail(?:_address)?$/, (random) => `${random.pick(people)}@example.com`],
  [/(?:^|_)(?:user_agent|agent|browser)$/, (random) => random.pickEarly(userAgents)],
  [/(?:^|_)(?:ip|ip_addr|ip_address|remote_addr|connecting_ip)$/, ipAddress],
  [/(?:^|_)(?:level|severity|error_severity|log_level)$/, (random) => random.weighted(levels)],
  [/(?:^|_)(?:method|verb)$/, (random) => random.weighted(methods)],
  [/(?:^|_)(?:status_code|http_status|response_code)$/, (random) => String(random.weighted(statusCodes))],
  [/(?:^|_)(?:status|state|outcome|result)$/, (random) => random.weighted(states)],
  [/(?:^|_)(?:path|pathname|route|uri)$/, (random) => random.pickEarly(paths)],
  [/(?:^|_)(?:url|href|link|referr?er)$/, (random) => `https://www.example.com${random.pickEarly(paths)}`],
  [
    /(?:^|_)(?:host|hostname|domain|server|node|instance)$/,
    (random) => `web-${random.integer(1, 3)}.example.com`,
  ],
  [/(?:^|_)(?:env|environment|stage)$/, (random) => random.weighted(environments)],
  [/(?:^|_)(?:country|country_code|ipcountry)$/, (random) => random.pickEarly(places).country],
  [/(?:^|_)city$/, (random) => random.pickEarly(places).city],
  [/(?:^|_)(?:region|zone|datacenter|colo)$/, (random) => random.pickEarly(places).region],
  [/(?:^|_)currency$/, (random) => random.pickEarly(places).currency],
  [/(?:^|_)(?:language|lang|locale)$/, (random) => random.pickEarly(places).language],
  [/(?:^|_)(?:timezone|time_zone|tz)$/, (random) => random.pickEarly(places).zone],
  [/(?:^|_)version$/, (random) => `1.${random.integer(0, 4)}.${random.integer(0, 9)}`],
  [/(?:^|_)(?:protocol|scheme)$/, () => 'https:'],
  [/(?:^|_)content_type$/, () => 'application/json'],
  [
    /(?:^|_)(?:message|msg|text|body|error|description|title|summary|detail|details)$/,
    (random) => random.pick(messages),
  ],
  [
    /(?:^|_)(?:user|username|user_name|author|owner|first_name|full_name|person)$/,
    (random) => random.pick(people),
  ],
  [/(?:^|_)(?:time|timestamp|date|at)$/, (_, at) => isoMicros(at)],
];

/** How many values a column of names has, such as `shop-1` to `shop-5`. */
const namesPerColumn = 5;
/** As many ids, such as `user-17`. */
const idsPerColumn = 50;

/** The texts of a column with this name: in the form that the name suggests, else a few names made of it. */
export function textMaker(column: string): Maker<string> {
  const name = snakeCase(column);
  const known = byName.find(([pattern]) => pattern.test(name));
  if (known !== undefined) return known[1];
  const stem = name.replace(/_?(?:id|key|name|ref)$/, '') || name;
  const most = /(?:^|_)(?:id|key|ref)$/.test(name) ? idsPerColumn : namesPerColumn;
  const numbers = [1, ...Array.from({ length: most - 1 }, (_, index) => index + 2)] as const;
  return (random) => `${stem}-${random.pickEarly(numbers)}`;
}

/** `statusCode` and `Status-Code` as `status_code`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
}

function ipAddress(random: Random): string {
  return `${random.pick(networks)}.${random.integer(1, 254)}`;
}
