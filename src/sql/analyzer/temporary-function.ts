import { textRange } from '../plan/parse-tree.ts';
import { syntaxNodesOf } from '../plan/tree-nodes.ts';
import { type AnyNode, asList, asMessage, unwrap } from '../resolved/node.ts';
import { positionAt } from '../text/text-position.ts';
import type { CatalogFunction } from './catalog.ts';
import { bigQueryGroup, definedGroup } from './declared-functions.ts';
import { AnalyzerError } from './error.ts';

/** A CREATE FUNCTION statement of a text, as the analyzer reads it. */
interface Definition {
  readonly parsed: AnyNode;
  /** The resolved statement. */
  readonly statement: AnyNode;
}

/** The group of functions with arguments of ANY TYPE, whose bodies the analyzer puts in place of their calls. */
const sqlGroup = 'Templated_SQL_Function';

/**
 * The function that a CREATE TEMP FUNCTION statement defines. Positions in errors about its body are those of the whole
 * text.
 *
 * @param sql the text that contains the statement
 * @throws AnalyzerError for a function that a query can't define
 */
export function definedFunction(sql: string, { parsed, statement }: Definition): CatalogFunction {
  const { message } = unwrap(statement);
  const create = asMessage(message.parent, 'parent');
  const refuse = (text: string) => new AnalyzerError(text, positionAt(sql, textRange(message)?.start ?? 0));
  const path = asList(create.name_path, 'name_path').map(String);
  if (create.create_scope !== 'CREATE_TEMP')
    throw refuse('A query can only define temporary functions: CREATE TEMP FUNCTION');
  if (path.length !== 1) throw refuse('The name of a temporary function has no dots');
  const argumentNames = asList(message.argument_name_list, 'argument_name_list').map(String);
  const signature = placelessSignature(asMessage(message.signature, 'signature'), argumentNames);
  const common = { name_path: path, mode: 'SCALAR' };
  const language = String(message.language ?? '').toUpperCase();
  const isTyped = signature.argument.every(({ kind }) => kind === 'ARG_TYPE_FIXED');
  if (language === 'SQL' && isTyped) {
    const expression = asMessage(message.function_expression, 'function_expression');
    return {
      path,
      definition: ofGroup(definedGroup, common, signature),
      body: { argumentNames, expression },
    };
  }
  if (language === 'SQL') {
    const body = bodyRange(parsed);
    return {
      path,
      definition: {
        ...common,
        group: sqlGroup,
        signature: [signature],
        parse_resume_location: {
          input: Buffer.from(sql).subarray(0, body.end).toString(),
          byte_position: body.start,
        },
        templated_sql_function_argument_name: argumentNames,
        // BigQuery: "SAFE." is not for user-defined functions.
        options: { supports_safe_error_mode: false },
      },
    };
  }
  if (language !== 'JS') throw refuse(`Functions in ${language} are not supported: write them in SQL or js`);
  if (!isTyped) throw refuse('An argument of a function in js needs a type, not ANY TYPE');
  return { path, definition: ofGroup(bigQueryGroup, common, signature) };
}

function ofGroup(group: string, common: object, signature: object): object {
  return { ...common, group, signature: [signature], options: { supports_safe_error_mode: false } };
}

/** The expression within the brackets of the definition. */
function bodyRange(parsed: AnyNode): { readonly start: number; readonly end: number } {
  const [statement] = syntaxNodesOf('ast_create_function_statement_node', parsed);
  const range = statement && textRange(asMessage(statement.sql_function_body, 'sql_function_body'));
  if (range === undefined) throw new TypeError('The parse tree is malformed: a function without its body');
  return { start: range.start + 1, end: range.end - 1 };
}

/** The types and names of a signature: the places of arguments would not fit into another text. */
function placelessSignature({ argument, return_type }: AnyNode, names: readonly string[]) {
  return {
    argument: asList(argument ?? [], 'argument').map((each, i) => ({
      ...placelessType(asMessage(each, 'argument')),
      options: {
        cardinality: 'REQUIRED',
        argument_name: names[i],
        named_argument_kind: 'POSITIONAL_OR_NAMED',
      },
    })),
    return_type: placelessType(asMessage(return_type, 'return_type')),
  };
}

function placelessType({ kind, type }: AnyNode) {
  return { kind, ...(type !== undefined && type !== null && { type }), num_occurrences: 1 };
}
