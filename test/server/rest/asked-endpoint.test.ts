import { expect, test } from 'vitest';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { everyScope } from '../../../src/calls/access/caller/caller.ts';
import type { QueryClass } from '../../../src/definitions/classes/query-class.ts';
import { endpointCatalog } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import type { RequestLine } from '../../../src/server/http/request/request-log.ts';
import { askedEndpoint } from '../../../src/server/rest/asked-endpoint.ts';
import { logsAll, plainEndpoint, runGateway } from '../listener/running-gateway.ts';

const target = '/api/endpoints/query/logs.all?project=a';

test.each<[string, QueryClass | undefined, readonly string[], QueryClass]>([
  ['default', undefined, [], 'default'],
  ['that of the key', 'interactive', [], 'interactive'],
  ['lowered by the request', 'interactive', ['Priority', 'u=7'], 'background'],
  ['not raised by the request', undefined, ['Priority', 'u=0'], 'default'],
  ['that of the key, if the header is malformed', 'interactive', ['Priority', 'u=7,'], 'interactive'],
])('the class of a call over HTTP is %s', async (_, ofKey, headers, expected) => {
  const holder = { name: 'k', secret: 'key', redact: false, scopes: everyScope };
  const lines: RequestLine[] = [];
  const gateway = await runGateway({
    access: keyAccess([{ ...holder, ...(ofKey && { class: ofKey }) }]),
    logRequest: (line) => lines.push(line),
  });
  await gateway.call(target, { headers: headers.length === 0 ? [] : [[headers[0] ?? '', headers[1] ?? '']] });
  expect(gateway.executor.calls.map((call) => call.class)).toEqual([expected]);
  await expect
    .poll(() => lines.map((line) => line.class))
    .toEqual([expected === 'default' ? undefined : expected]);
});

test.each<[string, QueryClass]>([
  ['/api/endpoints/query/logs.all?a=b', 'background'],
  [`/endpoints/query/${logsAll.id.toUpperCase()}`, 'background'],
  ['/api/endpoints/query/name/logs%2Eall', 'background'],
  ['/api/endpoints/query/logs.all/versions/1', 'background'],
  ['/api/endpoints/query/plain%20%C3%A4%2Fname', 'interactive'],
  ['/api/endpoints/query/unknown', 'interactive'],
  ['/api/endpoints/query/%', 'interactive'],
  ['/graphql?query=1', 'interactive'],
])('before it is routed, the class of %s is %s', (url, expected) => {
  const catalog = endpointCatalog([{ ...logsAll, class: 'background' }, plainEndpoint]);
  const asked = askedEndpoint({ url, headersDistinct: {} }, { class: 'interactive' }, catalog);
  expect(asked.class).toBe(expected);
  const name = /plain/.test(url) ? plainEndpoint.name : logsAll.name;
  expect(asked.endpoint?.name).toBe(/unknown|%$|graphql/.test(url) ? undefined : name);
});
