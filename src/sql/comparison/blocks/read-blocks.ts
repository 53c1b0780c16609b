import { type AnyNode, asList, asMessage, fieldsOf, messages, unwrap } from '../../resolved/node.ts';
import { isPopulated } from '../../resolved/populated.ts';
import { analyticTerm, columnType, orderTerms, readTerm, type TermScope } from '../terms/read-term.ts';
import { restKey } from '../terms/rest-key.ts';
import { type Term, term } from '../terms/term.ts';
import { conjunctsOf } from '../trees/calls.ts';
import type { NormalQuery } from '../trees/normal-query.ts';
import { isMessage } from '../trees/rebuilt.ts';
import type { Block, BlockColumn, JoinKind, Relation } from './block.ts';
import { BlockBuilder } from './builder.ts';
import { freeName, inputOf, joinKind, knownFields, nameOf, nearestName, readBy } from './scan-fields.ts';

/** The labels and columns that have another name in the query that is compared. */
export interface Renames {
  /** Of tables, WITH entries and subqueries. */
  readonly labels: ReadonlyMap<string, string>;
  /** Of columns, by what they belong to, under its new label. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export const noRenames: Renames = { labels: new Map(), columns: new Map() };

/** The blocks of a query. */
export interface Blocks {
  readonly main: Block;
  /** The WITH entries that are read more than once, and those that are recursive. */
  readonly entries: ReadonlyMap<string, Block>;
}

/** Reads a query as blocks. */
export function readBlocks(query: NormalQuery, renames: Renames = noRenames): Blocks {
  return new Reader(query, renames).blocks();
}

/** The block around an expression or a scan, and those around that one. */
interface Surrounding {
  readonly builder: BlockBuilder;
  readonly outer: Surrounding | undefined;
  /** The labels of relations that are in use. */
  readonly labels: Set<string>;
}

class Reader {
  readonly #query: NormalQuery;
  readonly #renames: Renames;
  readonly #entries = new Map<string, Block>();
  readonly #subqueries = new Set<string>();

  constructor(query: NormalQuery, renames: Renames) {
    this.#query = query;
    this.#renames = renames;
  }

  blocks(): Blocks {
    for (const [name, entry] of this.#query.entries) {
      const label = this.#renamed(name);
      const outputs = messages(entry, 'outputs').map((column) => ({ name: nameOf(column), column }));
      this.#entries.set(
        label,
        this.#block(asMessage(entry.with_subquery, 'with_subquery'), label, outputs, undefined),
      );
    }
    const statement = fieldsOf(unwrap(this.#query.statement).message);
    const outputs = messages(statement, 'output_column_list').map(({ name, column }) => ({
      name: String(name ?? '').replace(/^\$.*/, ''),
      column: asMessage(column, 'column'),
    }));
    const main = this.#block(asMessage(statement.query, 'query'), '', outputs, undefined);
    return { main, entries: this.#entries };
  }

  #renamed(label: string): string {
    return this.#renames.labels.get(label) ?? label;
  }

  #block(
    scan: AnyNode,
    label: string,
    outputs: readonly { readonly name: string; readonly column: AnyNode }[],
    outer: Surrounding | undefined,
  ): Block {
    const surrounding = { builder: new BlockBuilder(), outer, labels: new Set<string>() };
    const builder = this.#scan(scan, surrounding);
    const scope = this.#scope({ ...surrounding, builder });
    const taken = new Map<string, number>();
    const columns = outputs.map(({ name, column }): BlockColumn => {
      const count = (taken.get(name) ?? 0) + 1;
      taken.set(name, count);
      return {
        name: count === 1 ? name : `${name}#${count}`,
        term: scope.column(column),
        type: columnType(column),
      };
    });
    return builder.finished(label, columns);
  }

  #scope(at: Surrounding): TermScope {
    return {
      keys: this.#query.keys,
      column: (column) => {
        for (let around: Surrounding | undefined = at; around !== undefined; around = around.outer) {
          const found = around.builder.find(column);
          if (found !== undefined) return found;
        }
        return this.#columnOf('', nameOf(column));
      },
      subquery: (expression, args) => this.#subquery(expression, args, at),
    };
  }

  #columnOf(label: string, name: string): Term {
    const known = this.#renames.columns.get(label)?.get(name) ?? name;
    return term({ kind: 'column', of: label, name: known, args: [] });
  }

  #subquery(expression: AnyNode, args: readonly Term[], outer: Surrounding): Term {
    const fields = fieldsOf(expression);
    // Nothing refers to its column by a name.
    const outputs = messages(fields, 'outputs').map((column) => ({ name: 'value', column }));
    const block = this.#block(asMessage(fields.subquery, 'subquery'), '', outputs, outer);
    const label = freeName(`subquery over ${readBy(block)}`, this.#subqueries);
    outer.builder.parts.subqueries.push({ ...block, label });
    return term({ kind: 'subquery', name: label, args, form: String(fields.subquery_type ?? 'SCALAR') });
  }

  /** Reads a scan into a builder of its own. */
  #scan(scan: AnyNode, around: Surrounding): BlockBuilder {
    const builder = this.#known(scan, around);
    const { kind, message } = unwrap(scan);
    const known = knownFields[kind];
    if (known !== undefined) builder.parts.rest += restKey(fieldsOf(message), known, this.#query.keys);
    return builder;
  }

  #known(scan: AnyNode, around: Surrounding): BlockBuilder {
    const { kind, message } = unwrap(scan);
    const fields = fieldsOf(message);
    const input = () => this.#scan(asMessage(fields.input_scan, 'input_scan'), around);
    switch (kind) {
      case 'resolved_table_scan_node':
        return this.#table(fields, around);
      case 'resolved_single_row_scan_node': {
        const builder = new BlockBuilder();
        builder.parts.relations.push({ label: '', join: 'INNER', on: [], content: { kind: 'row' } });
        return builder;
      }
      case 'resolved_with_ref_scan_node':
        return this.#reference(fields, around);
      case 'resolved_join_scan_node':
        return this.#join(fields, around);
      case 'resolved_array_scan_node':
        return this.#array(fields, around);
      case 'resolved_set_operation_scan_node':
        return this.#set(fields, around);
      case 'resolved_filter_scan_node':
        return this.#filter(input(), fields, scan, around);
      case 'resolved_project_scan_node':
        return this.#project(input(), fields, scan, around);
      case 'resolved_aggregate_scan_node':
        return this.#aggregate(input(), fields, scan, around);
      case 'resolved_analytic_scan_node':
        return this.#analytic(input(), fields, scan, around);
      case 'resolved_order_by_scan_node': {
        const builder = this.#unless((below) => below.isLimited, input(), fields, around);
        builder.parts.order = orderTerms(fields, 'order_by_item_list', this.#scope({ ...around, builder }));
        return builder;
      }
      case 'resolved_limit_offset_scan_node': {
        const builder = this.#unless((below) => below.isLimited, input(), fields, around);
        const scope = this.#scope({ ...around, builder });
        if (isMessage(fields.limit)) builder.parts.limit = readTerm(fields.limit, scope);
        if (isMessage(fields.offset)) builder.parts.offset = readTerm(fields.offset, scope);
        return builder;
      }
      default:
        return this.#other(kind, scan, around);
    }
  }

  /** The block below, or one around it if what comes next can't be part of it. */
  #unless(
    isComplete: (builder: BlockBuilder) => boolean,
    below: BlockBuilder,
    fields: AnyNode,
    around: Surrounding,
  ): BlockBuilder {
    if (!isComplete(below)) return below;
    return this.#around(below, fields.input_scan, around);
  }

  /** A block around a whole one. */
  #around(inner: BlockBuilder, scan: unknown, around: Surrounding): BlockBuilder {
    const builder = new BlockBuilder();
    const named = nearestName(scan);
    const label = this.#label(named ?? `subquery over ${readBy(inner.parts)}`, around);
    builder.addQuery(inner, label, (name) => this.#columnOf(label, name));
    return builder;
  }

  #label(name: string, { labels, outer }: Surrounding): string {
    const taken = new Set(labels);
    for (let each = outer; each !== undefined; each = each.outer)
      for (const label of each.labels) taken.add(label);
    const label = freeName(this.#renamed(name), taken);
    labels.add(label);
    return label;
  }

  #table(fields: AnyNode, around: Surrounding): BlockBuilder {
    const { name, full_name } = asMessage(fields.table, 'table');
    const table = String(full_name || name).replace(/^.*\./, '');
    const label = this.#label(table, around);
    const builder = new BlockBuilder();
    const columns = messages(fields, 'column_list');
    const types = new Map(columns.map((column) => [nameOf(column), columnType(column)]));
    const content = { kind: 'table', name: table, columns: types } as const;
    builder.parts.relations.push({ label, join: 'INNER', on: [], content });
    for (const column of columns) builder.define(column, this.#columnOf(label, nameOf(column)));
    return builder;
  }

  #reference(fields: AnyNode, around: Surrounding): BlockBuilder {
    const name = String(fields.with_query_name);
    const label = this.#label(name, around);
    const block = this.#entries.get(this.#renamed(name));
    const builder = new BlockBuilder();
    const content: Relation['content'] =
      block === undefined ? { kind: 'other', name, key: name } : { kind: 'query', block };
    builder.parts.relations.push({ label, join: 'INNER', on: [], content });
    for (const [position, column] of messages(fields, 'column_list').entries())
      builder.define(column, this.#columnOf(label, block?.columns[position]?.name ?? nameOf(column)));
    return builder;
  }

  #join(fields: AnyNode, around: Surrounding): BlockBuilder {
    const join = joinKind(fields.join_type);
    const [leftScan, rightScan] = [
      asMessage(fields.left_scan, 'left_scan'),
      asMessage(fields.right_scan, 'right_scan'),
    ];
    const left = this.#scan(leftScan, around);
    const builder = left.isPlain ? left : this.#around(left, leftScan, around);
    const right = this.#scan(rightScan, around);
    const { relations, conditions } = right.parts;
    const isOne = relations.length === 1 && conditions.length === 0;
    const joined =
      right.isPlain && (join === 'INNER' || isOne) ? right : this.#around(right, rightScan, around);
    // Conditions of the left side are those of the block: rows that an outer join adds don't meet them.
    const base =
      (join === 'RIGHT' || join === 'FULL') && builder.parts.conditions.length > 0
        ? this.#around(builder, leftScan, around)
        : builder;
    base.join(joined, join);
    if (isMessage(fields.join_expr)) {
      const scope = this.#scope({ ...around, builder: base });
      const on = conjunctsOf(fields.join_expr).map((each) => readTerm(each, scope));
      base.addConditions(on);
    }
    return base;
  }

  #array(fields: AnyNode, around: Surrounding): BlockBuilder {
    const inputScan = isPopulated(fields.input_scan) ? asMessage(fields.input_scan, 'input_scan') : undefined;
    const below = inputScan === undefined ? new BlockBuilder() : this.#scan(inputScan, around);
    const builder = below.isPlain ? below : this.#around(below, inputScan, around);
    const join: JoinKind = fields.is_outer === true ? 'LEFT' : 'INNER';
    const arrays = [...messages(fields, 'array_expr_list')];
    if (isMessage(fields.array_expr)) arrays.push(fields.array_expr);
    const elements: unknown[] = [...asList(fields.element_column_list, 'element_column_list')];
    if (isMessage(fields.element_column)) elements.push(fields.element_column);
    for (const [index, array] of arrays.entries()) {
      const element = elements[index];
      const value = readTerm(array, this.#scope({ ...around, builder }));
      const isNamed = isMessage(element) && !String(element.name).startsWith('$');
      const label = this.#label(isNamed ? nameOf(element) : value.name, around);
      builder.parts.relations.push({ label, join, on: [], content: { kind: 'array', array: value } });
      if (element !== undefined) builder.define(element, this.#columnOf('', label));
      if (isMessage(fields.array_offset_column))
        builder.define(fields.array_offset_column.column, this.#columnOf(label, 'OFFSET'));
    }
    if (isMessage(fields.join_expr)) {
      const scope = this.#scope({ ...around, builder });
      const on = conjunctsOf(fields.join_expr).map((each) => readTerm(each, scope));
      builder.addConditions(on);
    }
    return builder;
  }

  #set(fields: AnyNode, around: Surrounding): BlockBuilder {
    const operator = String(fields.op_type ?? 'UNION_ALL').replace('_', ' ');
    const targets = messages(fields, 'column_list');
    const inputs = messages(fields, 'input_item_list').map((item, index) => {
      const outputs = messages(item, 'output_column_list').map((column, position) => ({
        name: nameOf(targets[position] ?? column),
        column,
      }));
      const block = this.#block(asMessage(item.scan, 'scan'), '', outputs, around.outer);
      return { ...block, label: `input ${index + 1} of ${operator}` };
    });
    const label = this.#label(operator, around);
    const builder = new BlockBuilder();
    builder.parts.relations.push({
      label,
      join: 'INNER',
      on: [],
      content: { kind: 'set', operator, inputs },
    });
    for (const column of targets) builder.define(column, this.#columnOf('', nameOf(column)));
    return builder;
  }

  #filter(below: BlockBuilder, fields: AnyNode, scan: AnyNode, around: Surrounding): BlockBuilder {
    const isComplete = below.isLimited || below.parts.distinct !== undefined;
    const builder = isComplete ? this.#around(below, inputOf(scan), around) : below;
    const scope = this.#scope({ ...around, builder });
    const { parts } = builder;
    const conditions = conjunctsOf(asMessage(fields.filter_expr, 'filter_expr')).map((each) =>
      readTerm(each, scope),
    );
    const list = parts.hasWindows
      ? parts.qualify
      : parts.grouping !== undefined
        ? parts.having
        : parts.conditions;
    list.push(...conditions);
    return builder;
  }

  #project(below: BlockBuilder, fields: AnyNode, scan: AnyNode, around: Surrounding): BlockBuilder {
    const builder = below.parts.distinct !== undefined ? this.#around(below, inputOf(scan), around) : below;
    const scope = this.#scope({ ...around, builder });
    for (const { column, expr } of messages(fields, 'expr_list'))
      builder.define(column, readTerm(asMessage(expr, 'expr'), scope));
    return builder;
  }

  #aggregate(below: BlockBuilder, fields: AnyNode, scan: AnyNode, around: Surrounding): BlockBuilder {
    const keys = messages(fields, 'group_by_list');
    const isDistinct =
      keys.length > 0 && keys.every(({ column }) => asMessage(column, 'column').table_name === '$distinct');
    const isComplete = isDistinct ? below.isLimited || below.parts.distinct !== undefined : !below.isPlain;
    const builder = isComplete ? this.#around(below, inputOf(scan), around) : below;
    const scope = this.#scope({ ...around, builder });
    const terms = keys.map(({ column, expr }) => ({
      column,
      value: readTerm(asMessage(expr, 'expr'), scope),
    }));
    const aggregates = messages(fields, 'aggregate_list').map(({ column, expr }) => ({
      column,
      value: readTerm(asMessage(expr, 'expr'), scope),
    }));
    for (const { column, value } of [...terms, ...aggregates]) builder.define(column, value);
    for (const { output_column } of messages(fields, 'grouping_call_list'))
      builder.define(output_column, term({ kind: 'call', name: 'grouping', args: [] }));
    if (isDistinct) builder.parts.distinct = terms.map(({ value }) => value);
    else {
      const sets = ['grouping_set_list', 'rollup_column_list'].filter((field) => isPopulated(fields[field]));
      builder.parts.grouping = {
        keys: terms.map(({ value }) => value),
        sets: sets.map((field) => scope.keys.of(fields[field])).join(),
        aggregates: aggregates.map(({ value }) => value),
      };
    }
    return builder;
  }

  #analytic(below: BlockBuilder, fields: AnyNode, scan: AnyNode, around: Surrounding): BlockBuilder {
    const isComplete =
      below.isLimited || below.parts.distinct !== undefined || below.parts.qualify.length > 0;
    const builder = isComplete ? this.#around(below, inputOf(scan), around) : below;
    const scope = this.#scope({ ...around, builder });
    builder.parts.hasWindows = true;
    for (const { partition_by, order_by, analytic_function_list } of messages(
      fields,
      'function_group_list',
    )) {
      const partition = isMessage(partition_by)
        ? messages(fieldsOf(partition_by), 'partition_by_list').map((each) => readTerm(each, scope))
        : [];
      const order = isMessage(order_by) ? orderTerms(fieldsOf(order_by), 'order_by_item_list', scope) : [];
      for (const { column, expr } of messages({ analytic_function_list }, 'analytic_function_list'))
        builder.define(column, analyticTerm(asMessage(expr, 'expr'), { partition, order }, scope));
    }
    return builder;
  }

  #other(kind: string, scan: AnyNode, around: Surrounding): BlockBuilder {
    const name = kind.replace(/^resolved_|_scan_node$/g, '').replaceAll('_', ' ');
    const label = this.#label(name, around);
    const builder = new BlockBuilder();
    const content = { kind: 'other', name, key: this.#query.keys.of(scan) } as const;
    builder.parts.relations.push({ label, join: 'INNER', on: [], content });
    const columns = fieldsOf(unwrap(scan).message).column_list;
    for (const column of asList(columns, 'column_list'))
      builder.define(column, this.#columnOf(label, nameOf(asMessage(column, 'column'))));
    return builder;
  }
}
