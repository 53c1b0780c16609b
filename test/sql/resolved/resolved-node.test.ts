import { describe, expect, test } from 'vitest';
import { ResolvedNode } from '../../../src/sql/resolved/resolved-node.ts';

const node = () =>
  new ResolvedNode({
    node: 'resolved_scan_base_node',
    resolved_scan_base_node: {
      node: 'resolved_sample_scan_node',
      resolved_sample_scan_node: {
        method: 'reservoir',
        size: { node: 'resolved_literal_node', resolved_literal_node: { value: '5', note: 'x' } },
        weight: '0',
        empty: [],
        nothing: { at: '', all: { off: false } },
        parent: { hint: '', column_list: [{}], parent: { parse_location_range: { start: 3 } } },
      },
    },
  });

describe('a node of the resolved tree', () => {
  test('is read through its wrappers and base types', () => {
    const scan = node();
    expect(scan.kind).toBe('resolved_sample_scan_node');
    expect(scan.label).toBe('sample scan');
    expect(scan.text('method')).toBe('reservoir');
    expect(scan.child('size').text('value')).toBe('5');
    expect(scan.columns('nothing_here')).toEqual([]);
  });

  test('is refused by the name of a field that says something and was not read', () => {
    const scan = node();
    scan.child('size');
    expect(() => scan.assertRead()).toThrow('method in a sample scan');
  });

  test('is refused for what a child says', () => {
    const scan = node();
    scan.text('method');
    scan.child('size').text('value');
    expect(() => scan.assertRead()).toThrow('note in a literal');
    scan.child('size').text('note');
    expect(() => scan.assertRead()).not.toThrow();
  });

  test('passes fields that say nothing, and those without a meaning', () => {
    const scan = node();
    scan.skip('method');
    scan.skip('size');
    expect(() => scan.assertRead()).not.toThrow();
  });

  test('gives the values of an enumeration that are known, and refuses the others by name', () => {
    expect(node().choice('method', ['bernoulli', 'reservoir'])).toBe('reservoir');
    expect(node().choice('absent', ['first', 'second'])).toBe('first');
    expect(() => node().choice('method', ['bernoulli'])).toThrow('method reservoir in a sample scan');
  });
});
