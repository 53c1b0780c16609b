import { declaredParameters } from '../../../definitions/endpoints/declared-parameters.ts';
import { isSameName } from '../../../sql/editing/field.ts';
import { isSymbol, isWord, type QueryToken } from '../../../sql/editing/query-text.ts';
import { namesBefore } from '../../../sql/editing/read-parts.ts';
import {
  type KnownNames,
  relationNamed,
  resolvePath,
  scopeAt,
  tableOfPath,
} from '../../../sql/editing/scope.ts';
import { reserved } from '../../../sql/text/identifier.ts';
import { formatType, type SqlType } from '../../../sql/values/type.ts';
import { code, describeField, describeParameter } from '../markdown/describe.ts';
import type { AnalyzedNames } from '../project/analyzed-names.ts';
import { type EndpointText, tokenAt } from '../project/endpoint-text.ts';

export interface HoverFacts extends KnownNames {
  /** What the analyzer found in exactly this text. Undefined if the text has an error, or is not checked yet. */
  readonly names: AnalyzedNames | undefined;
  /** What functions are, in Markdown, by upper-case name. */
  readonly descriptions: ReadonlyMap<string, string>;
}

export interface Described {
  /** In Markdown. */
  readonly text: string;
  readonly token: QueryToken;
}

/** Says what the name at an offset of a query is. */
export function hoverInQuery(
  endpoint: EndpointText,
  offset: number,
  facts: HoverFacts,
): Described | undefined {
  const token = tokenAt(endpoint.tokens, offset);
  const text = token && describe(endpoint, token, facts);
  return token === undefined || text === undefined ? undefined : { token, text };
}

function describe(endpoint: EndpointText, token: QueryToken, facts: HoverFacts): string | undefined {
  if (token.kind === 'parameter') return describeUse(endpoint, token.text.slice(1));
  if (token.kind !== 'word' && token.kind !== 'name') return undefined;
  const { tokens, root } = endpoint;
  const index = tokens.indexOf(token);
  const path = namesBefore(tokens, index + 1);
  if (isSymbol(tokens[index + 1], '(')) {
    const description = facts.descriptions.get(functionName(path));
    if (description !== undefined) return description;
  }
  const table = tableOfPath(path, facts.tables);
  if (table !== undefined) return table.description;
  if (token.kind === 'word' && path.length === 1 && reserved.has(token.text)) return undefined;
  const typeAt = (types: ReadonlyMap<number, SqlType> | undefined, { end }: QueryToken) =>
    types?.get(Buffer.byteLength(endpoint.text.slice(endpoint.comment.queryStart, end)));
  const before = tokens[index - 1];
  const expressionEnd = tokens[index - 2];
  if (isWord(before, 'AS') && expressionEnd !== undefined) {
    const type = typeAt(facts.names?.expressions, expressionEnd);
    if (type !== undefined) return describeField({ name: token.written, type, fields: [] }, type);
  }
  const scope = scopeAt(root, token.start, facts);
  const [first = ''] = path;
  const entry = path.length === 1 ? relationNamed(scope.entries, first) : undefined;
  const field =
    resolvePath(path, scope.relations) ??
    (entry && { name: entry.name, type: undefined, fields: entry.fields });
  const type = typeAt(facts.names?.names, token) ?? field?.type;
  if (field !== undefined) return describeField(field, type);
  return type === undefined ? undefined : code(`${token.written} ${formatType(type)}`);
}

/** The name of a function without the prefix that makes its errors NULL. */
function functionName(path: readonly string[]): string {
  return path
    .join('.')
    .toUpperCase()
    .replace(/^SAFE\./, '');
}

function describeUse({ comment: { settings, parameters } }: EndpointText, name: string): string {
  const declared = declaredParameters(settings?.parameters ?? {}).find((each) => isSameName(each.name, name));
  if (declared !== undefined) return describeParameter(declared);
  const [, type] = [...(parameters ?? [])].find(([other]) => isSameName(other, name)) ?? [];
  return type === undefined
    ? `The settings don't declare the parameter \`${name}\`.`
    : code(`@${name} ${formatType(type)}`);
}
