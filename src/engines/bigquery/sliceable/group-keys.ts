import { type TextRange, textRange } from '../../../sql/plan/parse-tree.ts';
import { type AnyNode, asMessage, isPresent, messages, unwrap } from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import { NotSliceable } from './not-sliceable.ts';

/** A key of a GROUP BY in a text. */
export interface GroupKey {
  /** Its expression. */
  readonly expression: TextRange;
  /** Whether the GROUP BY names it by its alias or its number in the list. */
  readonly isOfList: boolean;
}

/** An element of the list of a SELECT. */
export interface SelectItem {
  readonly expression: TextRange;
  readonly name: string | undefined;
  /** Whether its name is written. */
  readonly isNamed: boolean;
}

/**
 * The keys of a SELECT.
 *
 * @param select `ast_select_node`
 * @throws NotSliceable for others than expressions, aliases and numbers
 */
export function groupKeys(select: AnyNode, items: readonly SelectItem[]): readonly GroupKey[] {
  if (!isPresent(select.group_by)) return [];
  const { parent: _, grouping_items, ...others } = asMessage(select.group_by, 'group_by');
  if (isPopulated(others)) throw new NotSliceable('GROUP BY');
  return messages({ grouping_items }, 'grouping_items').map(({ parent: __, expression, ...more }) => {
    if (isPopulated(more) || !isPresent(expression)) throw new NotSliceable('GROUP BY');
    const own = asMessage(expression, 'expression');
    const { kind } = unwrap(own);
    const number = kind === 'ast_int_literal_node' ? numberOf(own) : undefined;
    const [name, ...rest] = pathOf(own);
    const isSame = (item: SelectItem) => item.name?.toLowerCase() === name?.toLowerCase();
    const listed =
      number !== undefined
        ? items[number - 1]
        : name !== undefined && rest.length === 0
          ? items.find(isSame)
          : undefined;
    return listed === undefined
      ? { expression: placed(unwrap(own).message), isOfList: false }
      : { expression: listed.expression, isOfList: true };
  });
}

/** The list of a SELECT. Numbers count its elements: a star is refused. */
export function selectItems(select: AnyNode): readonly SelectItem[] {
  const { columns } = asMessage(select.select_list, 'select_list');
  return messages({ columns }, 'columns').map(({ expression, alias }) => {
    const own = asMessage(expression, 'expression');
    if (/star/.test(unwrap(own).kind)) throw new NotSliceable('a star');
    const named = isPresent(alias)
      ? asMessage(asMessage(alias, 'alias').identifier, 'identifier').id_string
      : '';
    const name = named || pathOf(own).at(-1) || fieldOf(own);
    return {
      expression: placed(unwrap(own).message),
      name: name === undefined ? undefined : String(name),
      isNamed: isPresent(alias),
    };
  });
}

/** The names of a path. Empty for other expressions. */
export function pathOf(expression: AnyNode): readonly string[] {
  const { kind, message } = unwrap(expression);
  if (kind !== 'ast_path_expression_node') return [];
  return messages(message, 'names').map(({ id_string }) => String(id_string));
}

/** The last name of `expression.name`. */
function fieldOf(expression: AnyNode): string | undefined {
  const { kind, message } = unwrap(expression);
  return kind === 'ast_dot_identifier_node' ? String(asMessage(message.name, 'name').id_string) : undefined;
}

function numberOf(literal: AnyNode): number {
  for (let level: unknown = unwrap(literal).message; level; level = asMessage(level, 'literal').parent) {
    const { image } = asMessage(level, 'literal');
    if (typeof image === 'string') return Number(image);
  }
  return Number.NaN;
}

/** @throws NotSliceable for a node without a place */
export function placed(node: unknown): TextRange {
  const range = textRange(node);
  if (range === undefined) throw new NotSliceable('an expression without a place');
  return range;
}
