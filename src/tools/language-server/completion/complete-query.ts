import { declaredParameters } from '../../../definitions/endpoints/declared-parameters.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { tableOfSource } from '../../../definitions/sources/source.ts';
import { formatType } from '../../../sql/values/type.ts';
import { describeFunction, describeParameter, describeSource, shownType } from '../markdown/describe.ts';
import type { EndpointText } from '../project/endpoint-text.ts';
import type { Field } from '../query/field.ts';
import { itemStarts } from '../query/item-starts.ts';
import { isReserved, offeredKeywords } from '../query/keywords.ts';
import { namesBefore } from '../query/name-at.ts';
import { isName, isSymbol, isWord, partsOf, type QueryToken } from '../query/part.ts';
import { isQuery } from '../query/read-parts.ts';
import type { Relation } from '../query/relation.ts';
import { resolvePath } from '../query/resolve-path.ts';
import { type KnownNames, type Scope, scopeAt } from '../query/scope.ts';
import type { Completions, Option } from './option.ts';

export interface CompletionFacts extends KnownNames {
  /** The functions that the engine has. */
  readonly functions: readonly { readonly name: string; readonly kind: string }[];
  /** Signatures by upper-case names of functions. */
  readonly signatures: ReadonlyMap<string, readonly string[]>;
}

/** What can be written at an offset of an endpoint's query. Nothing within texts, numbers and comments. */
export function completeQuery(
  endpoint: EndpointText,
  offset: number,
  facts: CompletionFacts,
): Completions | undefined {
  const { text, tokens } = endpoint;
  const before = tokens.filter(({ start }) => start < offset);
  const last = before.at(-1);
  const partial = last !== undefined && last.end >= offset ? last : undefined;
  if (partial?.kind === 'literal') return undefined;
  if (partial === undefined && !isSpace(text.slice(last?.end ?? endpoint.comment.queryStart, offset))) {
    return undefined;
  }
  if (partial?.kind === 'parameter' || isSymbol(partial, '@')) {
    return { from: partial?.start ?? offset, options: parameterOptions(endpoint) };
  }
  const prefix = isName(partial) ? partial : undefined;
  const from = prefix?.start ?? offset;
  const previous = prefix === undefined ? before : before.slice(0, -1);
  // What is being written has no meaning yet.
  const known = prefix === undefined ? tokens : tokens.filter((token) => token !== prefix);
  const scope = scopeAt(partsOf(known, text.length), offset, facts);
  if (isSymbol(previous.at(-1), '.')) {
    return afterDot(namesBefore(previous, previous.length), { scope, facts, from, previous });
  }
  if (isWord(previous.at(-1), 'AS')) return undefined;
  if (isStartOfItem(previous)) return { from, options: itemOptions(scope, facts.sources) };
  return { from, options: expressionOptions(endpoint, scope, facts) };
}

/** Whether nothing but white space and closed comments lies between tokens. */
function isSpace(gap: string): boolean {
  return /^(?:\s|\/\*[\s\S]*?\*\/|(?:--|#)[^\r\n]*[\r\n])*$/.test(gap);
}

interface DotContext {
  readonly scope: Scope;
  readonly facts: CompletionFacts;
  readonly from: number;
  readonly previous: readonly QueryToken[];
}

function afterDot(
  path: readonly string[],
  { scope, facts, from, previous }: DotContext,
): Completions | undefined {
  const field = resolvePath(path, scope);
  const owner = path.join('.').toUpperCase();
  // After `FROM logs.`, the name before the dot counts as an unknown table.
  if (field !== undefined && (owner !== 'LOGS' || field.fields.length > 0)) {
    // The fields of an array's elements can be read after UNNEST or a subscript only.
    return field.type?.kind === 'ARRAY' ? undefined : { from, options: field.fields.map(fieldOption) };
  }
  if (owner === 'LOGS') {
    const start = previous.at(-2)?.start ?? from;
    // A wildcard table needs quotes around its whole path.
    const quoted = facts.sources.some(({ wildcard }) => wildcard !== undefined);
    return { from: quoted ? start : from, options: facts.sources.map((each) => sourceOption(each, quoted)) };
  }
  const functions = facts.functions.filter(({ name }) => owner === 'SAFE' || name.startsWith(`${owner}.`));
  if (functions.length === 0) return undefined;
  const rest = ({ name }: { readonly name: string }) =>
    owner === 'SAFE' ? name : name.slice(owner.length + 1);
  return {
    from,
    options: functions.map((each) => ({ ...functionOption(each, facts), label: rest(each) })),
  };
}

/** Whether an item of a FROM clause comes next. */
function isStartOfItem(tokens: readonly QueryToken[]): boolean {
  let group = partsOf(tokens, Number.POSITIVE_INFINITY);
  // Brackets that are open at the end.
  for (let last = group.parts.at(-1); last?.kind === 'group'; last = group.parts.at(-1)) {
    if (last.end < Number.POSITIVE_INFINITY) break;
    group = last;
  }
  const { parts } = group;
  // That of `EXTRACT(part FROM …)` is no clause.
  return isQuery(group) ? itemStarts(parts).includes(parts.length) : isWord(parts.at(-1), 'JOIN');
}

function itemOptions({ relations, entries }: Scope, sources: readonly Source[]): readonly Option[] {
  const arrays = relations.flatMap(({ name, fields }) =>
    fields
      .filter(({ type }) => type?.kind === 'ARRAY')
      .map((field): Option => {
        const label = `UNNEST(${written(name)}.${written(field.name)})`;
        return { kind: 'record', label, detail: field.type && shownType(field.type) };
      }),
  );
  return [
    ...entries.map(
      ({ name }): Option => ({ kind: 'table', label: name, insert: written(name), detail: 'WITH' }),
    ),
    ...sources.map((source) => sourceOption(source, true)),
    ...arrays,
    { kind: 'function', label: 'UNNEST' },
  ];
}

/** @param isWhole whether `logs.` is a part of what is inserted */
function sourceOption(source: Source, isWhole: boolean): Option {
  const table = tableOfSource(source);
  const name = isWhole ? `logs.${table}` : table;
  return {
    kind: 'table',
    label: name,
    insert: source.wildcard === undefined ? name : `\`${name}\``,
    detail: 'source',
    description: describeSource(source),
  };
}

function expressionOptions(
  endpoint: EndpointText,
  { relations }: Scope,
  facts: CompletionFacts,
): readonly Option[] {
  const options: readonly Option[] = [
    ...relations.flatMap(({ fields, pseudoFields = [] }) => [...fields, ...pseudoFields].map(fieldOption)),
    ...relations.filter(({ name }) => name !== '').map(relationOption),
    ...parameterOptions(endpoint),
    ...facts.functions.filter(({ name }) => !name.includes('.')).map((each) => functionOption(each, facts)),
    ...offeredKeywords.map((label): Option => ({ kind: 'keyword', label })),
  ];
  // A column that several tables have is offered once. So is a name that is a function and a keyword.
  return [
    ...new Map(options.toReversed().map((option) => [option.label.toLowerCase(), option])).values(),
  ].reverse();
}

function parameterOptions({ comment: { settings, parameters } }: EndpointText): readonly Option[] {
  if (settings === undefined) {
    return [...(parameters ?? [])].map(([name, type]) => ({
      kind: 'parameter',
      label: `@${name}`,
      detail: formatType(type),
    }));
  }
  return declaredParameters(settings.parameters).map((parameter) => ({
    kind: 'parameter',
    label: `@${parameter.name}`,
    detail: formatType(parameter.type),
    description: describeParameter(parameter),
  }));
}

function fieldOption({ name, type, fields, column }: Field): Option {
  return {
    kind: fields.length > 0 ? 'record' : 'column',
    label: name,
    insert: written(name),
    detail: type && shownType(type),
    description: column?.description,
  };
}

function relationOption({ name, source }: Relation): Option {
  const detail = source === undefined ? undefined : `logs.${tableOfSource(source)}`;
  return { kind: 'table', label: name, insert: written(name), detail };
}

function functionOption(
  { name, kind }: { readonly name: string; readonly kind: string },
  { signatures }: CompletionFacts,
): Option {
  const own = signatures.get(name);
  return {
    kind: 'function',
    label: name,
    detail: kind,
    description: own && describeFunction(own),
  };
}

/** A name as it can stand in a query. */
function written(name: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isReserved(name.toUpperCase());
  return isPlain ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}
