import { isIP, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonRedactor, textRedactor } from '../../../src/calls/redaction/redact-text.ts';

const redact = textRedactor(['ip']);

const hex = (digits: number) => fc.integer({ min: 0, max: 16 ** digits - 1 }).map((n) => n.toString(16));
const padded = hex(4).map((group) => group.padStart(4, '0'));
const octet = fc.nat({ max: 255 });
const octets = fc.tuple(octet, octet, octet, octet);
const ipv4 = fc.oneof(
  octets.map((numbers) => numbers.join('.')),
  octets.map((numbers) => numbers.map((n) => String(n).padStart(3, '0')).join('.')),
);
/** With a group of four digits, as every address has that was given out. */
const prefix = fc.constantFrom('2001', '2a02', '2001:db8', 'fe80', 'fd12:3456', '64:ff9b', 'ff02', '::ffff');
const groups = (min: number, max: number) => fc.array(hex(4), { minLength: min, maxLength: max });
const ipv6 = fc.oneof(
  fc.array(padded, { minLength: 7, maxLength: 7 }).map((rest) => `2001:${rest.join(':')}`),
  groups(7, 7).map((rest) => `2001:${rest.join(':')}`),
  fc
    .tuple(prefix, groups(0, 4))
    .map(([start, rest]) => `${start}${start[0] === ':' ? ':' : '::'}${rest.join(':')}`),
  octets.map((numbers) => `::ffff:${numbers.join('.')}`),
  octets.map((numbers) => `64:ff9b::${numbers.join('.')}`),
  fc.nat({ max: 9999 }).map((n) => `::${n}`),
  fc.constantFrom('fe80::', '::1', '2001:db8::'),
);
const inCase = fc
  .tuple(fc.oneof(ipv4, ipv6), fc.boolean())
  .map(([a, isUpper]) => (isUpper ? a.toUpperCase() : a));
const zoned = fc
  .tuple(inCase, fc.constantFrom('', '', '', '%eth0', '%3', '%en0.100'))
  .map(([address, zone]) => (address.includes('::') ? address + zone : address))
  .filter((address) => isIP(address.replace(/\b0+(?=\d+(?:\.|$))/g, '')) !== 0);

/** What can stand beside each other, and of which no part is an address. */
const word = fc.oneof(
  fc.constantFrom(
    'GET',
    '200',
    '|',
    'client',
    'std::string',
    'a::b',
    'x::text',
    '{',
    '}',
    'Übergröße',
    '来自',
  ),
  fc.constantFrom('/path?a=1', '-', '"-"', '%20', 'error: no such file', '\\', '[info]', '::after', 'C:\\x'),
  fc.uuid(),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  fc.tuple(octet, octet, octet).map((numbers) => `v${numbers.join('.')}`),
  fc.tuple(octet, octet).map((numbers) => numbers.join('.')),
  fc
    .array(
      hex(2).map((n) => n.padStart(2, '0')),
      { minLength: 6, maxLength: 6 },
    )
    .map((bytes) => bytes.join(':')),
  fc
    .array(
      hex(2).map((n) => n.padStart(2, '0')),
      { minLength: 8, maxLength: 32 },
    )
    .map((bytes) => bytes.join('')),
  fc
    .tuple(octet, octet, octet)
    .map((numbers) => numbers.map((n) => String(n % 60).padStart(2, '0')).join(':')),
  fc.lorem({ maxCount: 3 }),
);
const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));

/** Neighbours before and behind an address, for both of its families. */
const surroundings = fc.constantFrom(
  ...[
    ' - ',
    '"-"',
    '[-]:443',
    '[-]',
    '(-)',
    '<-> ',
    'ip=-',
    'ip=-,',
    'ip: -;',
    '"ip":"-"',
    "'-'",
    'http://[-]:80/x?y',
    '|-|',
  ],
  ...[
    '\n-\r\n',
    '\\n-\\t',
    '\t-\t',
    '-/24',
    '{-}',
    '_-_',
    '-. ',
    '-, ',
    '-: refused',
    'x@-',
    '%3D-%26',
    '!-?',
    '—-…',
    '中-文',
  ],
);

/** The addresses in a text, by trying every part of it: slow, and by other means than those that are tested. */
function addressesIn(text: string): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; start++) {
    if (/[0-9A-Fa-f:.]/.test(text.charAt(start - 1)) || !/[0-9A-Fa-f:]/.test(text.charAt(start))) continue;
    for (let end = start + 2; end <= Math.min(text.length, start + 45); end++) {
      const part = text.slice(start, end);
      const plain = part.replace(/\b0+(?=\d+(?:\.|$))/g, '');
      const isWhole = !/[0-9A-Fa-f:]/.test(text.charAt(end));
      const isCode =
        /[g-z]/i.test(text.charAt(start - 1) + text.charAt(end)) || /^[a-f]{1,3}::[a-f]{1,3}$/i.test(part);
      if (isWhole && (isIPv4(plain) || (isIP(plain) === 6 && !isCode))) found.push(part);
    }
  }
  return found;
}

describe('in any surrounding text,', () => {
  it('no planted address is left, and the rest stays', () => {
    fc.assert(
      fc.property(line, zoned, surroundings, line, (before, address, around, after) => {
        const [left = '', right = ''] = around.split('-');
        // An underscore may belong to the name of an interface.
        fc.pre(!(right.startsWith('_') && address.includes('%')));
        const text = (what: string) => `${before} ${left}${what}${right} ${after}`;
        const redacted = redact(text(address));
        expect(addressesIn(redacted)).toEqual([]);
        expect(redacted).toBe(text('REDACTED'));
      }),
      { numRuns: 3000 },
    );
  });

  it('several are all found', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, zoned), { maxLength: 6 }),
        fc.constantFrom(', ', ' ', ',', '; '),
        (all, comma) => {
          const list = (hide: boolean) =>
            all.map(([words, address]) => `${words} ${hide ? 'REDACTED' : address}`).join(comma);
          expect(redact(list(false))).toBe(list(true));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('those in the strings of JSON are found at any depth, written in any way, and keys stay', () => {
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.tuple(line, zoned).map((planted) => ({ planted })),
        fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('node'), { maxLength: 4 }),
        fc
          .dictionary(fc.oneof(zoned, fc.string()), tie('node'), { maxKeys: 4 })
          .map((entries) => ({ entries })),
      ),
    })).node;
    const written = (value: unknown, address: (text: string) => string): unknown => {
      if (Array.isArray(value)) return value.map((item) => written(item, address));
      if (typeof value !== 'object' || value === null) return value;
      if ('planted' in value) {
        const [words, planted] = value.planted as [string, string];
        return `${words} ${address(planted)}`;
      }
      const entries = Object.entries((value as { entries: object }).entries);
      return Object.fromEntries(entries.map(([key, item]) => [key, written(item, address)]));
    };
    const escaped = (json: string) => json.replaceAll('::', ':\\u003a').replaceAll('/', '\\/');
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
        const shown = JSON.stringify(
          written(value, (address) => address),
          null,
          indent,
        );
        const hidden = JSON.stringify(
          written(value, () => 'REDACTED'),
          null,
          indent,
        );
        expect(jsonRedactor(['ip'])(shown)).toBe(hidden);
        expect(JSON.parse(jsonRedactor(['ip'])(escaped(shown)))).toEqual(JSON.parse(hidden));
        const isText = typeof JSON.parse(shown) === 'object' || shown.startsWith('"');
        if (isText) expect(redact(shown)).toBe(hidden);
      }),
      { numRuns: 500 },
    );
  });

  it('a text without addresses is not changed', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        const text = lines.join('\n');
        fc.pre(addressesIn(text).length === 0);
        expect(redact(text)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});
