import { describe, expect, it } from 'vitest';
import { textRedactor } from '../../src/redaction/redact-text.ts';

const header = 'eyJhbGciOiJIUzI1NiJ9';
const jwt = `${header}.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_`;

describe('e-mail addresses', () => {
  const redact = textRedactor(['email']);

  it.each([
    ['mail a.b+c@example.com, x', 'mail REDACTED, x'],
    ['<foo@bar.co.uk>', '<REDACTED>'],
    ['user=foo@x.internal', 'user=REDACTED'],
    ['?email=foo%40x.com&a=1', '?email=REDACTED&a=1'],
    ['got {"to":"foo\\u0040x.com"}', 'got {"to":"REDACTED"}'],
    ['jörg@größe.de', 'REDACTED'],
    ["'a@b.com':o'brien@b.com", "'REDACTED':REDACTED"],
    ['mailto:x@y.org?subject=1', 'mailto:REDACTED?subject=1'],
    ['"Jane Doe"@example.com', 'REDACTED'],
    ['x@sub.xn--p1ai.', 'REDACTED.'],
    ['a@b.com,c@d.org', 'REDACTED,REDACTED'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each(['gilles@127.0.0.1:5432', 'npm i pkg@1.2.3', 'a@b', '@scope/name.js', '@user.name', 'a @ b.com'])(
    '%j stays',
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );
});

describe('tokens', () => {
  const redact = textRedactor(['token']);

  it.each([
    [`apikey=${jwt}&x`, 'apikey=REDACTED&x'],
    [`Authorization: Bearer ${jwt}`, 'Authorization: Bearer REDACTED'],
    ['authorization="bearer abc123/+=="', 'authorization="bearer REDACTED"'],
    ['Bearer YWJjZA==', 'Bearer REDACTED'],
    ['Bearer a+b/c~d', 'Bearer REDACTED'],
    ['Bearer kQxRtLmZ, x', 'Bearer REDACTED, x'],
    ['Bearer%20s3cret-token', 'Bearer%20REDACTED'],
    ['Authorization%3A%20Bearer%20s3cret-token', 'Authorization%3A%20Bearer%20REDACTED'],
    ['\\nBearer s3cret-token', '\\nBearer REDACTED'],
    ['\\u0022Bearer\\u0020s3cret-token', '\\u0022Bearer\\u0020REDACTED'],
    ['auth_bearer=s3cret-token', 'auth_bearer=REDACTED'],
    ['Bearer abcdefghijklmnopqrstuvwxyz', 'Bearer REDACTED'],
    [`${header}..aaaa.bbbb.cccc`, 'REDACTED'],
    [`"${header}.e30."`, '"REDACTED"'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'the bearer of bad news',
    'Bearer Authentication.',
    'bearer token/cookie',
    header,
    'eyJ.a.b',
    'a.b.c',
  ])('%j stays', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('card numbers', () => {
  const redact = textRedactor(['card']);

  it.each([
    ['card 4111 1111 1111 1111 ok', 'card REDACTED ok'],
    ['4111-1111-1111-1111', 'REDACTED'],
    ['"4111111111111111"', '"REDACTED"'],
    ['3782 822463 10005', 'REDACTED'],
    ['378282246310005', 'REDACTED'],
    ['pan=2223003122003222;', 'pan=REDACTED;'],
    ['4111+1111+1111+1111', 'REDACTED'],
    ['4111 1111 1111 1111 110', 'REDACTED'],
    ['q=%224111111111111111%22', 'q=%22REDACTED%22'],
    ['\\n4111111111111111', '\\nREDACTED'],
    ['\u001b[1;31m4111111111111111\u001b[0m', '\u001b[1;31mREDACTED\u001b[0m'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    '4111 1111 1111 1112',
    '0000000000000000',
    '1234567812345670',
    '41111111111111111111111',
    '4111-1111 1111-1111',
    '786f87db-4625-9786-4111-503308708356',
    '0a4111111111111111',
    '4111111111111111-LHR',
    '1700000000000000',
    'took 0.4111111111111111 s',
  ])('%j stays: another check digit, length, issuer or form', (text) => {
    expect(redact(text)).toBe(text);
  });
});

it('each class is hidden by itself, and all of them together', () => {
  const text = `10.0.0.1 a@b.com ${jwt} 4111111111111111`;
  expect(textRedactor(['ip'])(text)).toBe(`REDACTED a@b.com ${jwt} 4111111111111111`);
  expect(textRedactor(['email', 'card'])(text)).toBe(`10.0.0.1 REDACTED ${jwt} REDACTED`);
  expect(textRedactor(['ip', 'email', 'token', 'card'])(text)).toBe('REDACTED REDACTED REDACTED REDACTED');
});
