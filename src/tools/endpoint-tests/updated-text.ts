import {
  Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  type ScalarTag,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import { isList, isObject, type Json, type JsonObject, sameJson } from '../../base/text/exact-json.ts';
import { JsonNumber } from '../../base/text/json-number.ts';
import type { TestCase } from './cases/test-file.ts';
import { pairRows } from './compare/pair-rows.ts';

/** A case whose expected rows are to be replaced. */
export interface RowUpdate {
  readonly test: Pick<TestCase, 'index' | 'expectation'>;
  readonly rows: readonly JsonObject[];
}

/** Rows longer than this, in characters, have a line for each column. */
const lineLength = 110;

/**
 * The text of a test file with other expected rows. Everything else stays as it is, and so do the rows that are as
 * expected, with their comments. Where columns are left out (`partial`), they stay out.
 *
 * @returns undefined if the rows of a case can't be replaced, because they are an alias
 */
export function updatedText(text: string, updates: readonly RowUpdate[]): string | undefined {
  const document = parseDocument(text, { merge: true });
  const replaced = updates.map((update) => replacement(text, document, update));
  let result = text;
  for (const change of replaced.toReversed()) {
    if (change === undefined) return undefined;
    result = `${result.slice(0, change.from)}${change.text}${result.slice(change.to)}`;
  }
  return result;
}

interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function replacement(text: string, document: Document.Parsed, update: RowUpdate): Replacement | undefined {
  const at = ['cases', update.test.index, 'expect'];
  const expect: unknown = document.getIn(at, true);
  const pair = isMap(expect)
    ? expect.items.find(({ key }) => isScalar(key) && key.value === 'rows')
    : undefined;
  if (!isPair(pair) || !isScalar(pair.key) || !isSeq(pair.value)) return undefined;
  const { value: list, key } = pair;
  const [keyStart = 0, keyEnd = 0] = key.range ?? [];
  const [start = 0, end = 0] = list.range ?? [];
  const isWithinFlow = [1, 2, 3].some((depth) => {
    const around: unknown = document.getIn(at.slice(0, depth), true);
    return (isMap(around) || isSeq(around)) && around.flow === true;
  });
  const isBlock = list.flow !== true;
  const to = isBlock ? start + text.slice(start, end).trimEnd().length : end;
  const indent = isBlock ? columnOf(text, start) : columnOf(text, keyStart) + 2;
  const items = itemsOf(text, list, update, { indent, isWithinFlow });
  if (isWithinFlow) {
    const rows = items.map(({ source }) => source.replace(/\s*\n\s*/g, ' '));
    return { from: start, to, text: `[${rows.join(', ')}]` };
  }
  if (items.length === 0) return { from: keyEnd + 1, to, text: ' []' };
  const lines = items
    .flatMap(({ comments, source, comment }) => [...comments, `- ${source}${comment}`])
    .join(`\n${' '.repeat(indent)}`);
  if (!isBlock) return { from: keyEnd + 1, to, text: `\n${' '.repeat(indent)}${lines}` };
  const rest = text.slice(to).match(inlineComment)?.[0].length ?? 0;
  return { from: start, to: to + rest, text: lines };
}

const inlineComment = /^[ \t]+#[^\n]*/;

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** An item of the new list. */
interface Item {
  /** The lines of comments before it. */
  readonly comments: readonly string[];
  readonly source: string;
  /** The comment behind it in its line. */
  readonly comment: string;
}

function itemsOf(
  text: string,
  list: YAMLSeq,
  { test: { expectation }, rows }: RowUpdate,
  { indent, isWithinFlow }: { readonly indent: number; readonly isWithinFlow: boolean },
): Item[] {
  const { ordered = true, partial = false } = expectation;
  const expected = expectation.rows as readonly JsonObject[];
  const [first] = expected;
  return pairRows(expected, rows, { ordered, partial }).flatMap((pair): Item[] => {
    if (pair.actual === undefined) return [];
    const at = pair.expected === undefined ? -1 : expected.indexOf(pair.expected);
    const item = list.items[at];
    const pattern = pair.expected ?? first;
    const row = partial && pattern !== undefined ? columnsOf(pair.actual, pattern) : pair.actual;
    const model = item ?? list.items[0];
    const isFlow = isWithinFlow || (isMap(model) ? model.flow === true : undefined);
    const kept = pair.isSame ? sourceOf(text, item) : patchedRow(text, item, pattern, row);
    const source = kept ?? rowText(row, indent + 2, isFlow);
    return [{ source, ...commentsOf(text, list, at) }];
  });
}

/** The comments of an item of a list in block style: those between it and the item before, and the one behind it. */
function commentsOf(text: string, list: YAMLSeq, at: number): Omit<Item, 'source'> {
  const item = list.items[at];
  if (item === undefined || list.flow === true) return { comments: [], comment: '' };
  const comment = inlineComment.exec(text.slice(endOf(text, item)))?.[0] ?? '';
  if (at === 0) return { comments: [], comment };
  const between = text.slice(endOf(text, list.items[at - 1]), text.lastIndexOf('-', startOf(item) - 1));
  const lines = between.split('\n').slice(1);
  return { comments: lines.map((line) => line.trim()).filter((line) => line.startsWith('#')), comment };
}

function startOf(item: unknown): number {
  return (item as { range?: readonly number[] }).range?.[0] ?? 0;
}

function endOf(text: string, item: unknown): number {
  return startOf(item) + sourceOf(text, item).length;
}

function columnsOf(row: JsonObject, pattern: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(pattern, name)));
}

function sourceOf(text: string, item: unknown): string {
  const [start = 0, end = 0] = (item as { range?: readonly number[] }).range ?? [];
  return text.slice(start, end).trimEnd();
}

/**
 * The source of a row with other values, in which the rest stays as it is. Undefined if the row has other columns, or a
 * value that isn't scalar changes.
 */
function patchedRow(
  text: string,
  item: unknown,
  expected: JsonObject | undefined,
  actual: JsonObject,
): string | undefined {
  if (!isMap(item) || expected === undefined) return undefined;
  const names = Object.keys(expected);
  if (names.length !== Object.keys(actual).length || item.items.length !== names.length) return undefined;
  const start = item.range?.[0] ?? 0;
  let source = sourceOf(text, item);
  for (const { key, value } of item.items.toReversed()) {
    const name = isScalar(key) ? String(key.value) : '';
    const wanted = actual[name];
    if (wanted === undefined) return undefined;
    if (sameJson(expected[name], wanted)) continue;
    if (!isScalar(value) || !value.range || isList(wanted) || isObject(wanted)) return undefined;
    const [from, to] = value.range;
    source = `${source.slice(0, from - start)}${scalarText(wanted)}${source.slice(to - start)}`;
  }
  return source;
}

/** As it is in a flow collection, which is right everywhere. */
function scalarText(json: Json): string {
  return yamlText({ v: json }, true).slice('{ v: '.length, -' }'.length);
}

/** A row on one line, or with one line for each column. */
function rowText(row: JsonObject, indent: number, isFlow: boolean | undefined): string {
  const short = yamlText(row, true);
  if (isFlow === true || (isFlow === undefined && short.length + indent <= lineLength)) return short;
  return yamlText(row, false).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

function yamlText(row: JsonObject, isFlow: boolean): string {
  const document = new Document(undefined, { customTags: [numberAsWritten] });
  const node = nodeOf(row);
  if (node instanceof YAMLMap) node.flow = isFlow;
  document.contents = node as typeof document.contents;
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/** Writes a number with all its digits: every number of JSON is one of YAML, too. */
const numberAsWritten: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof JsonNumber,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

function nodeOf(json: Json): Scalar | YAMLMap | YAMLSeq {
  if (isList(json)) {
    const list = new YAMLSeq();
    if (json.length === 0) list.flow = true;
    for (const item of json) list.add(nodeOf(item));
    return list;
  }
  if (!isObject(json)) return new Scalar(json);
  const map = new YAMLMap();
  for (const [name, value] of Object.entries(json)) map.set(keyNode(name), nodeOf(value));
  return map;
}

/** Without quotes, `<<` would merge rows. */
function keyNode(name: string): Scalar {
  const key = new Scalar(name);
  if (name === '<<') key.type = Scalar.QUOTE_DOUBLE;
  return key;
}
