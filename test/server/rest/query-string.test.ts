import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePairs } from '../../../src/server/rest/parameters/text-pairs.ts';
import { runGateway } from '../listener/running-gateway.ts';

const path = '/api/endpoints/query/logs.all';

describe('the query string', () => {
  test('gives the declared parameters and nothing else', async () => {
    const gateway = await runGateway();
    const parameters = await gateway.parametersOf(
      `${path}?project=a&count=5&since=2025-01-31&other=x&Project=y&&=z`,
    );
    expect(parameters).toEqual({
      project: 'a',
      interval: null,
      count: 5n,
      since: 1_738_281_600_000_000n,
    });
  });

  test.each([
    ['?project=a+b%20c', 'a b c'],
    ['?project=a%2Bb', 'a+b'],
    ['?project=%C3%A9', 'é'],
    ['?project=a=b', 'a=b'],
    ['?pro%6Aect=a', 'a'],
    ['?project=a?b', 'a?b'],
    ['?project=%00', '\0'],
    ['?__proto__=x&project=a', 'a'],
  ])('%s gives the project %j', async (search, project) => {
    const gateway = await runGateway();
    expect(await gateway.parametersOf(path + search)).toMatchObject({ project });
  });

  test('may hold raw UTF-8 bytes', () => {
    const latin1 = Buffer.from('é=ü').toString('latin1');
    expect(decodePairs(latin1)).toEqual([['é', 'ü']]);
  });

  test.each([
    ['?project=%', 'project'],
    ['?project=%zz', 'project'],
    ['?project=%ff', 'project'],
    ['?project=%C3%28', 'project'],
    ['?project=%ED%A0%80', 'project'],
    ['?project=a&%ff=1', '%ff'],
    ['?project=a&other=%e9', 'other'],
    ['?project[]=a&project[]=b', 'project'],
    ['?project[k]=a', 'project'],
    ['?project=a&count%5B%5D=1', 'count'],
    ['?project=a&sql[]=select', 'sql'],
    ['?count=1', 'project'],
    ['?project=', 'project'],
    ['?project', 'project'],
    ['?project=a&interval=yearly', 'interval'],
    ['?project=a&count=1.5', 'count'],
    ['?project=a&since=yesterday', 'since'],
  ])('%s is refused naming %s', async (search, name) => {
    const gateway = await runGateway();
    const reply = await gateway.call(path + search);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body).error).toContain(`"${name}"`);
    expect(gateway.executor.calls).toHaveLength(0);
  });

  test('of an undeclared list is ignored', async () => {
    const gateway = await runGateway();
    expect(await gateway.parametersOf(`${path}?project=a&tags[]=1&tags[]=2&[]=3`)).toMatchObject({
      project: 'a',
    });
  });

  test.each(['sql', 'lql'])('must not hold %s, unless it is empty', async (key) => {
    const gateway = await runGateway();
    const reply = await gateway.call(`${path}?project=a&${key}=select+1`);
    expect(reply.status).toBe(400);
    expect(reply.body).toContain(`Parameter \\"${key}\\"`);
    expect((await gateway.call(`${path}?project=a&${key}=`)).status).toBe(200);
  });

  test('that makes the URL too long is answered 414, or 431 when it is longer still', async () => {
    const gateway = await runGateway();
    expect((await gateway.call(`${path}?project=${'a'.repeat(16_000)}`)).status).toBe(200);
    expect((await gateway.call(`${path}?project=${'a'.repeat(17_000)}`)).status).toBe(414);
    expect((await gateway.call(`${path}?project=${'a'.repeat(100_000)}`)).status).toBe(431);
  });

  test('gives back what URLSearchParams wrote', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(pairs, (written) => {
        expect(decodePairs(new URLSearchParams(written).toString())).toEqual(written);
      }),
    );
  });
});
