import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { ownAccount } from '../../../src/base/fairness/account.ts';
import { adHocQueries } from '../../../src/calls/sandbox/ad-hoc-query.ts';
import type { AdHocSql } from '../../../src/calls/sandbox/ad-hoc-sql.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';
import { endpointWith } from '../executor/support/endpoint.ts';

const never = new AbortController().signal;
const { plan } = endpointWith({
  plan: newPlan({
    isCallers: false,
    sql: '',
    statement: {},
    columns: [{ name: 'timestamp', type: { kind: 'TIMESTAMP' } }],
    parameters: new Map(),
  }),
});
const tables = ['edge_logs', 'auth_logs'].map((name) => ({ name, plan, boundBy: new Set<string>() }));
const endpoint = endpointWith({ tables });
const planned = { plan, key: 'k', tables: new Set(['edge_logs']) };
const location = { line: 1, column: 8 };
const mistake = new GatewayError('BAD_USER_INPUT', 'Unrecognized name: x', { location });
const refusing: AdHocSql = {
  plan: () => Promise.reject(mistake),
  known: () => {
    throw mistake;
  },
};

describe('a query of a caller', () => {
  test('becomes one that runs instead of the stored one, planned now or before', async () => {
    const own = adHocQueries({ queries: { plan: async () => planned, known: () => planned } });
    const query = await own.plan(endpoint, { language: 'sql', text: 'select 1' }, ownAccount, never);
    expect(query).toMatchObject({ canonical: 'sql k', maxRows: 1000, tables: [tables[0]] });
    expect(own.known(endpoint, { language: 'sql', text: 'select 1' })).toEqual(query);
  });

  test('in LQL is planned as SQL', async () => {
    const texts: string[] = [];
    const own = adHocQueries({
      queries: {
        plan: async (_, sql) => {
          texts.push(sql);
          return planned;
        },
        known: (_, sql) => void texts.push(sql),
      },
    });
    const lql = { language: 'lql', text: 'f:edge_logs s:timestamp' } as const;
    expect(own.known(endpoint, lql)).toBeUndefined();
    await own.plan(endpoint, lql, ownAccount, never);
    expect(texts[0]).toMatch(/^SELECT/);
    expect(texts[1]).toBe(texts[0]);
  });

  test.each([
    ['sql', 'select x', 'Unrecognized name: x', location],
    // A place in the generated SQL is none in the caller's text.
    [
      ...['lql', 'f:edge_logs s:timestamp'],
      ...['In the SQL generated from the LQL query: Unrecognized name: x', undefined],
    ],
  ] as const)('that is refused is told of the parameter %s', async (language, text, message, place) => {
    const own = adHocQueries({ queries: refusing });
    const details = { parameter: language, ...(place && { location: place }) };
    const refused = { code: 'BAD_USER_INPUT', message, details };
    await expect(own.plan(endpoint, { language, text }, ownAccount, never)).rejects.toMatchObject(refused);
    expect(() => own.known(endpoint, { language, text })).toThrow(expect.objectContaining(refused));
  });

  test('with a mistake in its LQL is refused before it waits for anything', () => {
    const own = adHocQueries({ queries: refusing });
    const known = () => own.known(endpoint, { language: 'lql', text: 'f:edge_logs\n  (' });
    const place = { parameter: 'lql', location: { line: 2, column: 3 } };
    expect(known).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^LQL: /), details: place }),
    );
  });
});
