import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coerceParameters } from '../../../../src/definitions/endpoints/parameters/coerce.ts';
import type { EndpointParameter } from '../../../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import type { ScalarTypeName } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { computedMs } from '../../../support/computed-ms.ts';

function coerce(parameter: Partial<EndpointParameter>, text?: string | null): Value | undefined {
  const declared: EndpointParameter = { name: 'p', type: { kind: 'STRING' }, required: false, ...parameter };
  const given = new Map(text === undefined ? [] : [['p', text]]);
  return coerceParameters({ parameters: [declared] }, given).get('p');
}

function parse(kind: ScalarTypeName, text: string): Value | undefined {
  return coerce({ type: { kind } }, text);
}

describe('a required parameter', () => {
  const interval = { required: true, values: ['hourly', 'daily', 'minutely'] };

  test.each([undefined, null, ''])('is refused by name and allowed values when it is %j', (text) => {
    expect(() => coerce(interval, text)).toThrow(
      expect.objectContaining({
        code: 'BAD_USER_INPUT',
        details: { parameter: 'p' },
        message: 'Parameter "p" is required: one of hourly, daily, minutely.',
      }),
    );
  });

  test('is refused by name when anything is allowed', () => {
    expect(() => coerce({ required: true })).toThrow('Parameter "p" is required.');
  });

  test('is refused when it is none of the allowed values', () => {
    expect(() => coerce(interval, 'Hourly')).toThrow(
      'Parameter "p" must be one of hourly, daily, minutely, not "Hourly".',
    );
    expect(coerce(interval, 'hourly')).toBe('hourly');
  });
});

describe('an optional parameter', () => {
  test('is NULL when it is absent', () => {
    expect(coerce({}, undefined)).toBeNull();
    expect(coerce({}, null)).toBeNull();
  });

  test('is the empty text when it is empty free text, and otherwise NULL', () => {
    expect(coerce({}, '')).toBe('');
    expect(coerce({ values: ['a'] }, '')).toBeNull();
    expect(parse('TIMESTAMP', '')).toBeNull();
  });
});

describe('the parameters of an endpoint', () => {
  test('are the declared ones, in their order, matched by exact name', () => {
    const parameters: EndpointParameter[] = [
      { name: 'b', type: { kind: 'STRING' }, required: false },
      { name: 'a', type: { kind: 'INT64' }, required: false },
    ];
    const given = new Map([
      ['a', '1'],
      ['B', 'x'],
      ['other', 'y'],
    ]);
    expect([...coerceParameters({ parameters }, given)]).toEqual([
      ['b', null],
      ['a', 1n],
    ]);
  });
});

describe('a text', () => {
  test.each<[ScalarTypeName, string, Value]>([
    ['STRING', ' é\u0000\u{1f600}', ' é\u0000\u{1f600}'],
    ['INT64', '9223372036854775807', 9223372036854775807n],
    ['INT64', '-9223372036854775808', -9223372036854775808n],
    ['INT64', '+007', 7n],
    ['FLOAT64', '1.5e3', 1500],
    ['FLOAT64', '.5', 0.5],
    ['FLOAT64', '-0', -0],
    ['FLOAT64', 'NaN', Number.NaN],
    ['FLOAT64', '-Infinity', -Infinity],
    ['FLOAT64', '+inf', Infinity],
    ['NUMERIC', '1.10', '1.1'],
    ['BIGNUMERIC', '1e-38', '0.00000000000000000000000000000000000001'],
    ['BOOL', 'TRUE', true],
    ['BOOL', 'false', false],
    ['TIMESTAMP', '2025-01-31T10:30:00.000001+05:30', 1_738_299_600_000_001n],
    ['DATE', '2025-1-31', '2025-01-31'],
    ['DATETIME', '2025-01-31 10:30:00', '2025-01-31T10:30:00'],
    ['TIME', '10:30:00.25', '10:30:00.250000'],
    ['BYTES', 'AP8=', 'AP8='],
    ['JSON', '{"a": 1.50}', '{"a": 1.50}'],
  ])('of %s may be %j', (kind, text, value) => {
    expect(parse(kind, text)).toEqual(value);
  });

  test.each<[ScalarTypeName, string]>([
    ['STRING', '\ud800'],
    ['INT64', '9223372036854775808'],
    ['INT64', '-9223372036854775809'],
    ['INT64', '1.0'],
    ['INT64', '1e3'],
    ['INT64', '0x10'],
    ['INT64', ' 1'],
    ['INT64', '1_000'],
    ['INT64', '--1'],
    ['FLOAT64', '1e999'],
    ['FLOAT64', '0x10'],
    ['FLOAT64', '1,5'],
    ['FLOAT64', ' 1'],
    ['FLOAT64', '.'],
    ['NUMERIC', '0.0000000001'],
    ['BIGNUMERIC', '1e39'],
    ['BOOL', '1'],
    ['BOOL', 'yes'],
    ['TIMESTAMP', 'yesterday'],
    ['DATE', '2025-02-29'],
    ['DATETIME', '2025-01-31T10:30:00Z'],
    ['TIME', '25:00:00'],
    ['BYTES', 'AP8'],
    ['BYTES', 'A_8='],
    ['BYTES', 'AP9=='],
    ['JSON', '{a: 1}'],
    ['JSON', '[1]x'],
  ])('of %s is refused by name when it is %j', (kind, text) => {
    expect(() => parse(kind, text)).toThrow(/^Parameter "p": expected .*, got ".*"/);
  });

  test('is shown shortened when it is refused', () => {
    expect(() => parse('INT64', 'x'.repeat(1000))).toThrow(`got "${'x'.repeat(60)}…".`);
  });

  test('whose plus sign became a space is refused with a hint', () => {
    expect(() => parse('TIMESTAMP', '2025-01-31T10:30:00 05:30')).toThrow('(in a URL, write + as %2B)');
    expect(() => parse('TIMESTAMP', 'last week')).not.toThrow('%2B');
  });
});

describe('every value survives being written as text', () => {
  test('INT64', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(parse('INT64', String(value))).toBe(value);
      }),
    );
  });

  test('FLOAT64', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const text = Object.is(value, -0) ? '-0' : String(value);
        expect(parse('FLOAT64', text)).toBe(value);
      }),
    );
  });

  test('BYTES', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(parse('BYTES', text)).toBe(text);
      }),
    );
  });

  test('STRING', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        expect(parse('STRING', text)).toBe(text);
      }),
    );
  });
});

test('no text makes coercion fail in any other way than a refusal', () => {
  const kinds: ScalarTypeName[] = [
    'INT64',
    'FLOAT64',
    'NUMERIC',
    'BIGNUMERIC',
    'BOOL',
    'TIMESTAMP',
    'DATE',
    'JSON',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.string({ unit: 'binary' }), (kind, text) => {
      try {
        parse(kind, text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'BAD_USER_INPUT', details: { parameter: 'p' } });
      }
    }),
  );
});

test('a long text is judged in time that grows no faster than its length', () => {
  const kinds: ScalarTypeName[] = [
    'INT64',
    'FLOAT64',
    'NUMERIC',
    'BIGNUMERIC',
    'TIMESTAMP',
    'DATETIME',
    'TIME',
    'BYTES',
  ];
  const started = computedMs();
  for (const kind of kinds) {
    for (const text of ['1'.repeat(1_000_000), '1:'.repeat(500_000), ' '.repeat(1_000_000)]) {
      expect(() => parse(kind, `${text}x`)).toThrow('Parameter "p"');
    }
  }
  expect(computedMs() - started).toBeLessThan(5000);
});

describe('a TIMESTAMP', () => {
  const noon = 1_738_324_800_000_000n;

  test.each([
    ['2025-01-31T12:00:00Z', noon],
    ['2025-01-31 12:00:00', noon],
    ['2025-1-31t12:0:0 UTC', noon],
    ['2025-01-31T17:30:00+05:30', noon],
    ['2025-01-31T17:30:00 +0530', noon],
    ['2025-01-31T17:00:00+5', noon],
    ['2025-01-31T12:00:00.5z', noon + 500_000n],
    ['2025-01-31', noon - 43_200_000_000n],
  ])('may be %s', (text, micros) => {
    expect(parse('TIMESTAMP', text)).toBe(micros);
  });

  test.each([
    '2025-01-31T12:00:00 Europe/Berlin',
    '2025-01-31T12:00:00 GMT',
    '2025-01-31T12:00:00.1234567Z',
    '2025-01-31T12:00:60Z',
    '2025-01-31T12:00Z',
    '2025-01-31T12:00:00+14:01',
    '2025-01-31T12:00:00  Z',
    '2025-01-31Z',
    ' 2025-01-31',
    '1738324800',
  ])("can't be %j", (text) => {
    expect(() => parse('TIMESTAMP', text)).toThrow('expected a timestamp such as');
  });
});
