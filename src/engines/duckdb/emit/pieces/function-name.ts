import { bigQueryGroup, declaredGroup } from '../../../../sql/analyzer/declared-functions.ts';
import { isCollatedType } from '../../../../sql/resolved/collated-type.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { unsupported } from '../../../../sql/resolved/unsupported.ts';

const callable = new RegExp(`^(?:ZetaSQL|${declaredGroup}):(.+)$`);

/**
 * The name of a called function, for the allow-list and for messages. Only GoogleSQL's own functions and the declared
 * ones have one.
 */
export function functionName(node: ResolvedNode): { readonly key: string; readonly label: string } {
  const name = String(node.message('function').name);
  if (name.startsWith(`${bigQueryGroup}:`))
    throw node.refusal(`the BigQuery-only function ${name.slice(bigQueryGroup.length + 1)}`);
  const match = callable.exec(name);
  if (match?.[1] === undefined) throw node.refusal(`the function ${name}`);
  const isDeclared = name.startsWith(declaredGroup) && !match[1].startsWith('$');
  if (isDeclared && argumentNodes(node).some((node) => isCollatedType(node.raw('type_annotation_map'))))
    throw unsupported(`a collation in ${match[1]}`, node.byteOffset);
  const key = match[1].toLowerCase();
  return { key, label: key.replace(/^\$/, '').toUpperCase() };
}

/** The arguments of a call, of each kind. */
function argumentNodes(node: ResolvedNode): readonly ResolvedNode[] {
  const generic = node.list('generic_argument_list').map((argument) => argument.optionalChild('expr'));
  return [...node.list('argument_list'), ...generic.filter((argument) => argument !== undefined)];
}
