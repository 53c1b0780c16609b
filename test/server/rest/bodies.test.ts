import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Call, plainEndpoint, runGateway } from '../listener/running-gateway.ts';

const path = '/api/endpoints/query/logs.all';

function post(body: string | Buffer, contentType: string, ...headers: (readonly [string, string])[]): Call {
  return { method: 'POST', body, headers: [['Content-Type', contentType], ...headers] };
}

const json = (body: string | Buffer, ...headers: (readonly [string, string])[]) =>
  post(body, 'application/json', ...headers);

function multipart(...parts: string[]): Call {
  const body = parts.map((part) => `--xyz\r\nContent-Disposition: form-data; ${part}\r\n`).join('');
  return post(`${body}--xyz--\r\n`, 'multipart/form-data; boundary=xyz');
}

describe('the body of a POST', () => {
  test.each<[string, Call]>([
    ['JSON', json('{"project":"b","count":7}')],
    ['JSON with a charset', post('{"project":"b","count":7}', 'Application/JSON; charset="UTF-8"')],
    ['a +json type', post('{"project":"b","count":7}', 'application/vnd.api+json')],
    ['JSON with a byte order mark', json('\ufeff{"project":"b","count":7}')],
    ['JSON in chunks', json('{"project":"b","count":7}', ['Transfer-Encoding', 'chunked'])],
    ['form-encoded', post('project=b&count=7', 'application/x-www-form-urlencoded')],
    ['multipart', multipart('name="project"\r\n\r\nb', 'name="count"\r\n\r\n7')],
    ['gzip', json(gzipSync('{"project":"b","count":7}'), ['Content-Encoding', 'gzip'])],
    ['deflate', json(deflateSync('{"project":"b","count":7}'), ['Content-Encoding', 'deflate'])],
    ['brotli', json(brotliCompressSync('{"project":"b","count":7}'), ['Content-Encoding', 'BR'])],
    ['identity', json('{"project":"b","count":7}', ['Content-Encoding', 'identity'])],
    [
      'a gzipped form',
      post(gzipSync('project=b&count=7'), 'application/x-www-form-urlencoded', ['Content-Encoding', 'gzip']),
    ],
  ])('may be %s', async (_, call) => {
    const gateway = await runGateway();
    expect(await gateway.parametersOf(path, call)).toMatchObject({ project: 'b', count: 7n });
  });

  test('counts more than the query string, key by key', async () => {
    const gateway = await runGateway();
    const parameters = await gateway.parametersOf(`${path}?project=a&count=1`, json('{"count":2}'));
    expect(parameters).toMatchObject({ project: 'a', count: 2n });
  });

  test.each([
    ['{"project":1}', '1'],
    ['{"project":12345678901234567890.10}', '12345678901234567890.10'],
    ['{"project":1E400}', '1E400'],
    ['{"project":-0}', '-0'],
    ['{"project":true}', 'true'],
    ['{"other":{"project":1},"project":"b"}', 'b'],
    ['{"__proto__":{"project":"x"},"project":"b"}', 'b'],
  ])('%s gives the project as the text %j', async (body, project) => {
    const gateway = await runGateway();
    expect(await gateway.parametersOf(path, json(body))).toMatchObject({ project });
  });

  test('may give a parameter only once', async () => {
    const gateway = await runGateway();
    const reply = await gateway.call(path, json('{"project":"x","pro\\u006aect":2}'));
    expect(reply).toMatchObject({
      status: 400,
      body: '{"error":"Parameter \\"project\\": given several times in the body.","code":"BAD_USER_INPUT","parameter":"project"}',
    });
  });

  test('makes a parameter absent by null', async () => {
    const gateway = await runGateway();
    expect(await gateway.parametersOf(`${path}?project=a&count=1`, json('{"count":null}'))).toMatchObject({
      count: null,
    });
    expect((await gateway.call(`${path}?project=a`, json('{"project":null}'))).status).toBe(400);
  });

  test.each<[string, Call]>([
    ['without a content type', { method: 'POST', body: '{"project":"b"}' }],
    ['that is empty', json('')],
    ['that is blank', json(' \n')],
    ['that is a JSON array', json('["project","b"]')],
    ['that is a JSON text', json('"project"')],
    ['that is absent', { method: 'POST' }],
    ['that is an empty form', post('', 'application/x-www-form-urlencoded')],
  ])('%s leaves the query string alone', async (_, call) => {
    const gateway = await runGateway();
    expect(await gateway.parametersOf(`${path}?project=a`, call)).toMatchObject({ project: 'a' });
  });

  test.each<[number, string, Call]>([
    [400, 'not valid JSON', json('{"project":"b"')],
    [400, 'not valid JSON', json('{project:"b"}')],
    [400, 'not valid UTF-8', json(Buffer.from([0x22, 0xff, 0x22]))],
    [400, '"project"', json('{"project":["b"]}')],
    [400, '"count"', json('{"project":"b","count":{"a":1}}')],
    [400, '"project"', json('{"project":"\\ud800"}')],
    [400, '"project"', post('project=%ff', 'application/x-www-form-urlencoded')],
    [400, '"project"', post('project[]=b', 'application/x-www-form-urlencoded')],
    [400, 'multipart', post('no boundary here', 'multipart/form-data; boundary=xyz')],
    [400, 'multipart', post('--xyz--', 'multipart/form-data')],
    [400, 'more than 1,000 fields', multipart(...Array<string>(1_001).fill('name="x"\r\n\r\n1'))],
    [400, 'more than 1,000 fields', post('a&'.repeat(400_000), 'application/x-www-form-urlencoded')],
    [400, 'files', multipart('name="project"; filename="a.txt"\r\n\r\nb')],
    [400, '"project"', multipart('name="project[]"\r\n\r\nb')],
    [400, 'decompressed', json('{"project":"b"}', ['Content-Encoding', 'gzip'])],
    [400, 'decompressed', json(gzipSync('{"project":"b"}').subarray(0, -6), ['Content-Encoding', 'gzip'])],
    [415, 'zstd', json('{"project":"b"}', ['Content-Encoding', 'zstd'])],
    [415, 'gzip, gzip', json('{"project":"b"}', ['Content-Encoding', 'gzip, gzip'])],
    [415, 'text/plain', post('project=b', 'text/plain')],
    [415, 'nonsense', post('project=b', 'nonsense')],
    [415, 'iso-8859-1', post('{"project":"b"}', 'application/json; charset=iso-8859-1')],
    [400, '\\"sql\\"', json('{"project":"b","sql":"select 1"}')],
    [400, '\\"lql\\"', post('project=b&lql=x', 'application/x-www-form-urlencoded')],
    [400, '\\"sql\\"', json('{"project":"b","sql":1}')],
  ])('is answered %i, saying %s', async (status, text, call) => {
    const gateway = await runGateway();
    const reply = await gateway.call(path, call);
    expect(reply.status).toBe(status);
    expect(reply.body.replaceAll('\\"', '"')).toContain(text.replaceAll('\\"', '"'));
    expect(gateway.executor.calls).toHaveLength(0);
  });

  test('of multipart is not read as anything but UTF-8', async () => {
    const gateway = await runGateway();
    const body = Buffer.from(
      '--xyz\r\nContent-Disposition: form-data; name="project"\r\n\r\n\xe9\r\n--xyz--\r\n',
      'latin1',
    );
    const reply = await gateway.call(path, post(body, 'multipart/form-data; boundary=xyz'));
    expect(reply.status).toBe(400);
  });

  test.each([
    ['beside what is wanted', `{"project":"a","other":${nested('[', 100, ']')}}`],
    ['as arrays', nested('[', 5_000_000, ']')],
    ['as objects', `${nested('{"a":', 200_000, '')}1${nested('}', 200_000, '')}`],
    ['without an end', nested('[', 101, '')],
  ])('nested beyond reason is refused, %s', async (_, body) => {
    const gateway = await runGateway();
    const reply = await gateway.call(`${path}?project=a`, json(body));
    expect(reply.status).toBe(400);
    expect(reply.body).toContain('nested more than 100 levels deep');
  });

  test('nested less is read, and brackets in texts count for nothing', async () => {
    const gateway = await runGateway();
    const body = `{"project":"${nested('[{\\"', 300, '')}","count":1,"other":${nested('[', 99, ']')}}`;
    expect(await gateway.parametersOf(path, json(body))).toMatchObject({ count: 1n });
  });
});

describe('a body that is too large', () => {
  const sizes: [string, number, (size: number) => Call][] = [
    ['JSON', 12_000_000, (size) => json(`{"project":"b","other":"${'x'.repeat(size - 26)}"}`)],
    [
      'form',
      1_000_000,
      (size) => post(`project=b&x=${'y'.repeat(size - 12)}`, 'application/x-www-form-urlencoded'),
    ],
    [
      'multipart',
      8_000_000,
      (size) => {
        const head = '--xyz\r\nContent-Disposition: form-data; name="project"\r\n\r\n';
        const tail = '\r\n--xyz--\r\n';
        return post(
          `${head}${'b'.repeat(size - head.length - tail.length)}${tail}`,
          'multipart/form-data; boundary=xyz',
        );
      },
    ],
  ];

  test.each(sizes)('as %s is one of more than %i bytes', async (_, limit, call) => {
    const gateway = await runGateway();
    expect((await gateway.call(path, call(limit))).status).toBe(200);
    expect((await gateway.call(path, call(limit + 1))).status).toBe(413);
    expect((await gateway.call(`${path}?project=a`)).status).toBe(200);
  });

  test('is noticed in chunks too', async () => {
    const gateway = await runGateway();
    const call = { method: 'POST', body: Buffer.alloc(13_000_000, ' ') };
    const reply = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'X-API-KEY': 'key', 'Content-Type': 'application/json' },
      body: new Blob([call.body]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(reply.status).toBe(413);
  });

  test('is noticed behind its compression, without unpacking it all', async () => {
    const gateway = await runGateway();
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const reply = await gateway.call(path, json(bomb, ['Content-Encoding', 'gzip']));
    expect(reply.status).toBe(413);
  });
});

describe('the body of a GET', () => {
  const get = (body: string, contentType?: string): Call => ({
    body,
    headers: contentType === undefined ? [] : [['Content-Type', contentType]],
  });

  test.each<[string, Call]>([
    ['with a content type and no body', { headers: [['Content-Type', 'application/json; charset=utf-8']] }],
    ['with an empty body', get('', 'application/json')],
    ['with another content type and no body', { headers: [['Content-Type', 'text/plain']] }],
    [
      'with parameters in its body, which are not taken',
      get('{"project":"b","count":1}', 'application/json'),
    ],
    ['with an empty query in its body', get('{"sql":"","lql":null}', 'application/json')],
    ['with a body of no type', get('x')],
  ])('%s changes nothing', async (_, call) => {
    const gateway = await runGateway();
    expect(await gateway.parametersOf(`${path}?project=a`, call)).toMatchObject({
      project: 'a',
      count: null,
    });
  });

  test.each<[number, Call]>([
    [415, get('sql=1', 'application/x-www-form-urlencoded')],
    [400, get('{', 'application/json')],
    [400, get('{"sql":"select 1"}', 'application/json')],
    [400, get('{"lql":["x"]}', 'application/json')],
    [413, get(`{"other":"${'x'.repeat(8_000_000)}"}`, 'application/json')],
  ])('is answered %i where it can not be taken', async (status, call) => {
    const gateway = await runGateway();
    expect((await gateway.call(`${path}?project=a`, call)).status).toBe(status);
  });

  test('is not read when the query string has a query; an empty one is none', async () => {
    const gateway = await runGateway();
    const call = get('{', 'application/json');
    expect((await gateway.call(`${path}?project=a&sql=x`, call)).body).toContain('\\"sql\\"');
    expect((await gateway.call(`${path}?project=a&sql=`, call)).body).toContain('not valid JSON');
  });

  test('is not read when callers may not query the endpoint', async () => {
    const gateway = await runGateway();
    const target = `/api/endpoints/query/${plainEndpoint.id}`;
    expect((await gateway.call(target, get('{', 'application/json'))).status).toBe(200);
  });
});

function nested(opening: string, levels: number, closing: string): string {
  return opening.repeat(levels) + closing.repeat(levels);
}
