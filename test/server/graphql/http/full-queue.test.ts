import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { codes, runGraphql } from './support/graphql-gateway.ts';

const query = 'query($project: String!) { logsAll(project: $project) { id } }';
const variables = { project: 'a' };

test('while the queue is full, a new document is refused before it is checked, and a known one is executed', async () => {
  let refusal: GatewayError | undefined;
  const gateway = await runGraphql({ permits: { refusal: () => refusal } });
  expect((await gateway.post({ query, variables })).status).toBe(200);
  refusal = new GatewayError('OVERLOADED', 'Too many queries are waiting', { retryAfterSeconds: 3 });
  expect(codes(await gateway.post({ query, variables }))).toEqual([]);
  const refused = await gateway.post({ query: '{ no such field }' });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('3');
  expect(refused.json.errors).toMatchObject([{ extensions: { code: 'OVERLOADED', retryAfterSeconds: 3 } }]);
  refusal = undefined;
  expect(codes(await gateway.post({ query: '{ no such field }' }))).not.toContain('OVERLOADED');
});
