import type { CatalogFunction } from '../../../../src/sql/analyzer/catalog.ts';

/**
 * Functions that a text defines, in the form in which the evaluator runs them: as if they were of ANY TYPE, with the body as text. Their
 * arguments keep the types that they have in the call.
 */
export function evaluatedFunctions(
  functions: readonly CatalogFunction[],
  definitions: string,
): readonly CatalogFunction[] {
  return functions.map((each) => {
    if (each.body === undefined) return each;
    const name = each.path.join('.');
    const head = new RegExp(`\\bfunction\\s+${name}\\s*\\(`, 'i').exec(definitions);
    if (head === null) throw new TypeError(`No definition of ${name}`);
    const opened = head.index + head[0].length;
    const bodyOpened = /\)\s*(?:returns\b[^;]*?)?\bas\s*\(/i.exec(definitions.slice(opened));
    if (bodyOpened === null) throw new TypeError(`No body of ${name}`);
    const start = opened + bodyOpened.index + bodyOpened[0].length;
    const ends = definitions.indexOf(';', start);
    const body = definitions.slice(start, definitions.lastIndexOf(')', ends));
    return {
      path: each.path,
      definition: {
        ...each.definition,
        group: 'Templated_SQL_Function',
        parse_resume_location: { input: body, byte_position: 0 },
        templated_sql_function_argument_name: each.body.argumentNames,
      },
    };
  });
}
