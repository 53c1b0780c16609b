import { describe, expect, it } from 'vitest';
import { textRedactor } from '../../../src/calls/redaction/redact-text.ts';

const header = 'eyJhbGciOiJIUzI1NiJ9';
const jwt = `${header}.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_`;
const encodedDots = (dot: string) => jwt.replaceAll('.', dot);

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
    [`?token=${encodedDots('%2E')}&a=1`, '?token=REDACTED&a=1'],
    [`token%3D${encodedDots('%2e')}%26`, 'token%3DREDACTED%26'],
    [`%22${encodedDots('%252E')}%22`, '%22REDACTED%22'],
    [`at {"t":"${encodedDots('\\u002e')}"}`, 'at {"t":"REDACTED"}'],
    [`${encodedDots('%2E').replace('-_', '%2D%5F')} x`, 'REDACTED x'],
    [`${header}%2E%2Eaaaa.bbbb%2Ecccc%2Edddd`, 'REDACTED%2Edddd'],
    [`bearer%20${encodedDots('%2E')}`, 'bearer%20REDACTED'],
    [`Bearer%2520${encodedDots('%252e')}%0A`, 'Bearer%2520REDACTED%0A'],
    ['Bearer%20ab%2Bcd%2Fef%3D%3D&x', 'Bearer%20REDACTED&x'],
    ['"Bearer ab\\/cd9\\u003d"}', '"Bearer REDACTED"}'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'the bearer of bad news',
    'Bearer Authentication.',
    'bearer token/cookie',
    'bearer%20token%2Fcookie',
    `${header}%2Ejson`,
    `${header}%20%2E%20a%2Eb`,
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
    ['4111  1111  1111  1111', 'REDACTED'],
    ['4111.1111.1111.1111', 'REDACTED'],
    ['pan_4111_1111_1111_1111', 'pan_REDACTED'],
    ['4111\t1111\t1111\t1111', 'REDACTED'],
    ['4111\u00a01111\u00a01111\u00a01111', 'REDACTED'],
    ['4111\u20111111\u20111111\u20111111', 'REDACTED'],
    ['4111 - 1111 - 1111 - 1111', 'REDACTED'],
    ['n=4111%20%201111%20%201111%20%201111&', 'n=REDACTED&'],
    ['4111%C2%A01111%c2%a01111%C2%A01111', 'REDACTED'],
    ['n=4111%2B1111%2D1111%5f1111', 'n=REDACTED'],
    ['4111\\u00a01111\\u00a01111\\t1111', 'REDACTED'],
    ['4111 11111111 1111', 'REDACTED'],
    ['41111111 1111-1111', 'REDACTED'],
    ['4111 1111 11111111', 'REDACTED'],
    ['4111-1111 1111-1111', 'REDACTED'],
    ['4111-1111.1111_1111', 'REDACTED'],
    ['41111111 11111111', 'REDACTED'],
    ['411111 111111 1111', 'REDACTED'],
    ['3782 82246310005', 'REDACTED'],
    ['4111 1111 1111 1111 123', 'REDACTED 123'],
    ['12:00:05 4111 1111 1111 1111 12/27', '12:00:05 REDACTED 12/27'],
    ['user 42 4111 1111 1111 1111', 'user 42 REDACTED'],
    ['4111 1111 1111 1111 5555 5555 5555 4444', 'REDACTED REDACTED'],
    ['100%4111111111111111', '100%REDACTED'],
    ['\u001b[1;31m4111111111111111\u001b[0m', '\u001b[1;31mREDACTED\u001b[0m'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    '4111 1111 1111 1112',
    '0000000000000000',
    '1234567812345670',
    '41111111111111111111111',
    '12 4111 1111 1111 1111 5',
    '12 41111111 11111111',
    '41111111 11111111 5',
    '411111 111111 1111 5',
    '41111111.11111111',
    '4111.1111 1111.1111',
    '41111111.1111 1111',
    '0.4111 1111 1111 1111',
    '1.4111.1111.1111.1111',
    '4111.1111.1111.1111.0',
    '4111 1111 1111 1111ms',
    '41 11 11 11 11 11 11 11',
    '4111\n1111\n1111\n1111',
    '4111,1111,1111,1111',
    '41111111-1111-1111-1111-111111111111',
    '786f87db-4625-9786-4111-503308708356',
    '0a4111111111111111',
    '4111111111111111-LHR',
    '1700000000000000',
    'took 0.4111111111111111 s',
  ])('%j stays: another check digit, length, issuer or form', (text) => {
    expect(redact(text)).toBe(text);
  });
});

it('each class is redacted separately, and all of them together', () => {
  const text = `10.0.0.1 a@b.com ${jwt} 4111111111111111`;
  expect(textRedactor(['ip'])(text)).toBe(`REDACTED a@b.com ${jwt} 4111111111111111`);
  expect(textRedactor(['email', 'card'])(text)).toBe(`10.0.0.1 REDACTED ${jwt} REDACTED`);
  expect(textRedactor(['ip', 'email', 'token', 'card'])(text)).toBe('REDACTED REDACTED REDACTED REDACTED');
});
