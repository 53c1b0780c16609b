import { expect, test } from 'vitest';
import { formatRoute, parseRoute, type Route } from '../../../src/console/router/route.ts';

const values = new URLSearchParams([
  ['ids', 'a'],
  ['ids', 'b&c=d'],
  ['text', '50% #1 ?/ü'],
]);

test.each<Route>([
  { page: 'endpoints' },
  { page: 'endpoint', endpoint: 'usage.api-counts', values },
  { page: 'endpoint', endpoint: 'a/b?c#d %', values: new URLSearchParams() },
  { page: 'query', endpoint: undefined, values: new URLSearchParams() },
  { page: 'query', endpoint: 'logs.all', values },
  { page: 'live', endpoint: 'logs.all', table: 'edge logs', values },
  { page: 'explore', table: undefined, values: new URLSearchParams() },
  { page: 'explore', table: 'edge logs', values: new URLSearchParams('range=7d&filter=a+%3D+b') },
  { page: 'operations' },
])('an address leads back to its page: %j', (route) => {
  const parsed = parseRoute(formatRoute(route));
  expect(parsed).toEqual(route);
});

test.each(['#/nothing', '#/endpoints/a/b/c', '#/operations/x', '#/query/a/b', '#/explore/a/b'])(
  '%s is no page',
  (fragment) => {
    expect(parseRoute(fragment).page).toBe('unknown');
  },
);

test('a broken escape is taken as it is', () => {
  expect(parseRoute('#/endpoints/100%')).toMatchObject({ page: 'endpoint', endpoint: '100%' });
});
