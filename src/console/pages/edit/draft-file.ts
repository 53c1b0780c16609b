import type { QueryLiteral, QueryLiterals } from '../../api/editing.ts';
import { withoutParameter, withParameter, withQuery } from './header.ts';

/** A value of a query that becomes a parameter, or doesn't. */
export interface LiteralChoice {
  readonly literal: QueryLiteral;
  readonly isChosen: boolean;
  /** The name of the parameter. */
  readonly name: string;
}

/** What a parameter's name may be. */
export const parameterName = /^[A-Za-z_]\w*$/;

/** The choices that are proposed. */
export function proposedChoices({ literals }: QueryLiterals): readonly LiteralChoice[] {
  return literals.map((literal) => ({ literal, isChosen: literal.isLikely, name: literal.name }));
}

/** The file of a new endpoint without parameters. */
export function newFile(id: string, sql: string): string {
  return `/*
id: ${id}
name: my.endpoint
maxRows: 1000
cacheSeconds: 60
unknownParameters: reject
*/
${sql.trim()}
`;
}

/** The query with parameters instead of the chosen values. */
export function chosenQuery({ sql }: QueryLiterals, choices: readonly LiteralChoice[]): string {
  return choices
    .filter(({ isChosen }) => isChosen)
    .toSorted((a, b) => b.literal.from - a.literal.from)
    .reduce(
      (text, { literal: { from, to }, name }) => `${text.slice(0, from)}@${name}${text.slice(to)}`,
      sql,
    );
}

/** The file with other choices: its query and its parameters follow, and its other settings stay. */
export function withChoices(
  text: string,
  query: QueryLiterals,
  before: readonly LiteralChoice[],
  after: readonly LiteralChoice[],
): string {
  const declared = new Set(before.filter(({ isChosen }) => isChosen).map(({ name }) => name));
  const wanted = after.filter(({ isChosen }) => isChosen);
  const names = new Set(wanted.map(({ name }) => name));
  let next = text;
  for (const name of declared) if (!names.has(name)) next = withoutParameter(next, name);
  for (const { name, literal } of wanted) {
    if (declared.has(name)) continue;
    const { type, value } = literal;
    next = withParameter(next, name, {
      ...(type !== 'STRING' && { type }),
      required: true,
      example: settingValue(type, value),
    });
  }
  return withQuery(next, chosenQuery(query, after));
}

/** A value as settings write it: numbers without quotes, if no digit is lost. */
export function settingValue(type: string, text: string): string | number | boolean {
  if (type === 'BOOL' && /^(?:true|false)$/.test(text)) return text === 'true';
  const isNumber = type === 'INT64' || type === 'FLOAT64';
  return isNumber && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text;
}
