import { describe, expect, test } from 'vitest';
import { completeLql } from '../../../src/sql/editing/complete-lql.ts';
import { marked, table } from './marked.ts';

const tables = [
  table('edge_logs', {
    event_message: 'STRING',
    metadata: 'ARRAY<STRUCT<request ARRAY<STRUCT<path STRING, ids ARRAY<INT64>>>, ok BOOL>>',
  }),
  table('auth_logs', { metadata: 'ARRAY<STRUCT<level STRING, n INT64>>' }),
];

function optionsAt(query: string, isAsked = false) {
  return completeLql(...marked(query), { tables }, isAsked)?.options ?? [];
}
const labelsAt = (text: string, isAsked = false) => optionsAt(text, isAsked).map(({ label }) => label);

test('tables follow f:', () => {
  expect(labelsAt('f:‸')).toEqual(['edge_logs', 'auth_logs']);
  expect(labelsAt('error from:e‸')).toEqual(['edge_logs', 'auth_logs']);
});

describe('fields', () => {
  test('are those of the chosen table, level by level', () => {
    expect(labelsAt('f:edge_logs m.‸')).toEqual(['request', 'ok']);
    expect(labelsAt('f:edge_logs -m.request.p‸')).toEqual(['path', 'ids']);
    expect(labelsAt('f:edge_logs metadata.request.‸')).toEqual(['path', 'ids']);
    expect(labelsAt('f:auth_logs m.‸')).toEqual(['level', 'n']);
    expect(labelsAt('f:edge_logs m.nothing.‸')).toEqual([]);
  });

  test('are those of all tables before one is chosen', () => {
    expect(labelsAt('m.‸')).toEqual(['request', 'ok', 'level', 'n']);
  });

  test('are inserted with what must follow them', () => {
    const inserted = (text: string) => optionsAt(text).map(({ insert }) => insert);
    expect(inserted('f:edge_logs m.‸')).toEqual(['request.', 'ok:']);
    expect(inserted('f:edge_logs s:m.request.‸')).toEqual(['path', 'ids']);
    expect(inserted('f:edge_logs c:avg(m.request.‸')).toEqual(['path)', 'ids)']);
  });

  test('the name that is replaced begins after the last dot', () => {
    expect(completeLql('f:edge_logs m.request.pa', 24, { tables }, false)?.from).toBe(22);
  });
});

describe('after a colon', () => {
  test('the operators and values of the type are offered', () => {
    expect(labelsAt('f:edge_logs m.request.path:‸')).toEqual(['~', '>', '>=', '<', '<=', 'NULL']);
    expect(labelsAt('f:edge_logs m.ok:‸')).toEqual(['true', 'false', 'NULL']);
    expect(labelsAt('f:edge_logs m.request.ids:‸')).toEqual(['@>', '@>~']);
    expect(labelsAt('f:auth_logs m.level:‸')).toEqual(
      expect.arrayContaining(['error', 'warning..emergency']),
    );
  });

  test('of t: spans of time, of c: aggregates', () => {
    expect(labelsAt('f:edge_logs t:la‸')).toContain('last@1h');
    expect(labelsAt('f:edge_logs -t:‸')).toContain('today');
    expect(labelsAt('f:edge_logs c:‸')).toEqual(
      expect.arrayContaining(['count(*)', 'group_by(t::hour)', 'p95(…)']),
    );
  });
});

test('a clause begins with f:, t:, m. or a column', () => {
  expect(labelsAt('f:edge_logs e‸')).toEqual(expect.arrayContaining(['f:', 't:', 'm.', 'event_message']));
  expect(labelsAt('-e‸')).not.toContain('f:');
  expect(labelsAt('f:edge_logs ‸')).toEqual([]);
  expect(labelsAt('f:edge_logs ‸', true)).toContain('event_message');
});

test('nothing is offered in quotes and regular expressions', () => {
  expect(labelsAt('f:edge_logs "a m.‸', true)).toEqual([]);
  expect(labelsAt('f:edge_logs m.request.path:"a \\" m.‸', true)).toEqual([]);
  expect(labelsAt('f:edge_logs ~m.‸', true)).toEqual([]);
  expect(labelsAt('f:edge_logs "a" m.‸')).toEqual(['request', 'ok']);
});
