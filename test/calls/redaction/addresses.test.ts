import { describe, expect, it } from 'vitest';
import { textRedactor } from '../../../src/calls/redaction/redact-text.ts';

const redact = textRedactor(['ip']);

describe('an IPv4 address is hidden', () => {
  it.each([
    ['GET | 200 | 10.1.2.3 | x', 'GET | 200 | REDACTED | x'],
    ['https://10.1.2.3:80/a', 'https://REDACTED:80/a'],
    ['10.1.2.3.4', 'REDACTED.4'],
    ['010.001.002.003', 'REDACTED'],
    ['10.0.0.0/8', 'REDACTED/8'],
    ['1.1.1.1,2.2.2.2', 'REDACTED,REDACTED'],
    ['a_10.0.0.1_b', 'a_REDACTED_b'],
    ['\\n10.0.0.1\\t', '\\nREDACTED\\t'],
    ['\\u002210.0.0.1', '\\u0022REDACTED'],
    ['%2210.0.0.1%22', '%22REDACTED%22'],
    ['10%2E0%2E0%2E1', 'REDACTED'],
    ['got {"ip":"10\\u002e0\\u002E0\\x2e1"}', 'got {"ip":"REDACTED"}'],
    ['10\\\\u002e0\\\\u002e0\\\\u002e1', 'REDACTED'],
  ])('%j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe('an IPv6 address is hidden', () => {
  it.each([
    ['2001:db8::1', 'REDACTED'],
    ['2001:DB8::A', 'REDACTED'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', 'REDACTED'],
    ['1:2:3:4:5:6:7:8', 'REDACTED'],
    ['::1', 'REDACTED'],
    ['fe80::', 'REDACTED'],
    ['dead::beef', 'REDACTED'],
    ['2001:db8::/32', 'REDACTED/32'],
    ['Server listening on :: port 22.', 'Server listening on REDACTED port 22.'],
    ['[::]:80', '[REDACTED]:80'],
    ['::/0', 'REDACTED/0'],
  ])('in each written form: %j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['from ::ffff:10.0.0.9 to', 'from REDACTED to'],
    ['::ffff:10.0.0.9:80', 'REDACTED:80'],
    ['::ffff:010.000.000.009', 'REDACTED'],
    ['64:ff9b::192.0.2.33', 'REDACTED'],
    ['10.1.2.3::1', 'REDACTED'],
  ])('with an IPv4 address in it: %j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['"fe80::1%eth0"', '"REDACTED"'],
    ['fe80::1%eth0.', 'REDACTED.'],
    ['fe80::1%12 ', 'REDACTED '],
    ['[fe80::1%25eth0]', '[REDACTED]'],
    ['::1%lo:', 'REDACTED:'],
  ])('with its zone: %j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['[2001:db8::1]:443', '[REDACTED]:443'],
    ['http://[::1]/x', 'http://[REDACTED]/x'],
    ['<2001:db8::1>', '<REDACTED>'],
    ['ip=2001:db8::1,', 'ip=REDACTED,'],
    ['2001:db8::1,fe80::2;::3', 'REDACTED,REDACTED;REDACTED'],
    ['It was 2001:db8::1.', 'It was REDACTED.'],
    ['fe80::1.546 > ff02::1:2.547', 'REDACTED.546 > REDACTED.547'],
    ['_2001:db8::1_', '_REDACTED_'],
    ['来自fe80::1的', '来自REDACTED的'],
  ])('between other text: %j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['2001:db8::1: refused', 'REDACTED: refused'],
    ['2001:db8::1:connected', 'REDACTED:connected'],
    ['2001:db8:0:0:0:0:0:1:443', 'REDACTED:443'],
    ['ip:2001:db8::1', 'ip:REDACTED'],
    ['ip:::1', 'ip:REDACTED'],
    ['src:2001:db8::1 dst:fe80::2', 'src:REDACTED dst:REDACTED'],
    ['[IPv6:2001:db8::1]', '[IPv6:REDACTED]'],
  ])('beside further colons: %j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['ip2001:db8::1', 'ipREDACTED'],
    ['2001:db8::1GET', 'REDACTEDGET'],
    ['2001:db8::beefy', 'REDACTEDy'],
    ['\\nfe80::1\\n', '\\nREDACTED\\n'],
    ['\\b2001:db8::1', '\\bREDACTED'],
    ['\\\\fe80::1', '\\\\REDACTED'],
    ['\\u003d2001:db8::1', '\\u003dREDACTED'],
    ['%3D2001:db8::1', '%3DREDACTED'],
    ['\u001b[1;31m::1\u001b[0m', '\u001b[1;31mREDACTED\u001b[0m'],
    ['\\u001b[32mfe80::1', '\\u001b[32mREDACTED'],
    ['[m2001::5b91', '[mREDACTED'],
  ])('beside letters and digits: %j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['q=%5B2001%3Adb8%3A%3A1%5D%3A443', 'q=%5BREDACTED%5D%3A443'],
    ['2001%3adb8%3a%3a1', 'REDACTED'],
    ['x=fe80%3A%3A1%25eth0&', 'x=REDACTED&'],
    ['got {"ip":"2001\\u003adb8\\x3A\\u003A1"}', 'got {"ip":"REDACTED"}'],
    ['ip\\u003a\\u003a\\u003a1', 'ip\\u003aREDACTED'],
    ['2001%253Adb8%253A%253A1', 'REDACTED'],
  ])('percent-encoded: %j becomes %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe('other texts stay:', () => {
  it.each([
    'version 1.2.3',
    '1.2',
    '1.2.3-4',
    '256.1.1.1',
    '1.2.3.400',
    '12:34:56',
    '10:20:30:40',
    '2024-01-01T10:20:30.123Z',
    '2024-01-01 10:20:30+00:00',
    'session time: 0:00:00.007',
    '00:1a:2b:3c:4d:5e',
    '01-23-45-67-89-ab',
    '0123.4567.89ab',
    '00:1a:2b:ff:fe:3c:4d:5e',
    'sha256:ab:cd:ef:01:23:45:67:89:ab:cd:ef:01:23:45:67:89',
    '98f9dd46-08b6-4dc1-b6f3-3b4eaf63fb5a',
    'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'std::string',
    'std::ba_r',
    'a::b',
    'x::text',
    'u8::add',
    'utf8::decode',
    'Elixir.A::B',
    'Foo::Bar::baz',
    'Vec::<u8>::new',
    'a::after',
    'x[::-1]',
    `'x'::"char"`,
    "''::date",
    'key: value: x',
    'C:\\dead\\beef',
  ])('%j', (text) => {
    expect(redact(text)).toBe(text);
  });
});
