import { type AnyNode, asList, asMessage } from '../resolved/node.ts';
import { UnsupportedError } from '../resolved/unsupported.ts';
import { typeFromProto } from '../resolved/value-from-proto.ts';
import { formatType } from '../values/type.ts';
import { declaredFunctionsToProto } from './declared-functions.ts';
import { builtinFunctionOptions } from './language.ts';
import type { AnalyzerMethod } from './protocol/protocol.ts';

/**
 * The signatures of the functions that the analyzer knows and those that are declared to it, by their names in upper
 * case: `CONCAT(STRING, STRING, ...) -> STRING`.
 *
 * @param call calls the analyzer
 */
export async function functionSignatures(
  call: (method: AnalyzerMethod, request: object) => Promise<unknown>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const answer = asMessage(await call('getBuiltinFunctions', builtinFunctionOptions), 'answer');
  const signatures = new Map<string, string[]>();
  for (const each of [...asList(answer.function, 'function'), ...declaredFunctionsToProto()]) {
    const definition = asMessage(each, 'function');
    const { alias_name } = asMessage(definition.options ?? {}, 'options');
    const names = [asList(definition.name_path, 'name_path').join('.'), String(alias_name ?? '')];
    for (const name of names.map((text) => text.toUpperCase())) {
      // Names with a dollar are operators.
      if (name === '' || name.startsWith('$')) continue;
      const own = asList(definition.signature, 'signature').map((signature) =>
        formatSignature(name, asMessage(signature, 'signature')),
      );
      signatures.set(name, [...new Set([...(signatures.get(name) ?? []), ...own])]);
    }
  }
  return signatures;
}

function formatSignature(name: string, { argument, return_type }: AnyNode): string {
  const args = asList(argument, 'argument').map((each) => {
    const type = asMessage(each, 'argument');
    const options = asMessage(type.options ?? {}, 'options');
    const text = formatArgument(type);
    if (options.cardinality === 'REPEATED') return `[${text}, ...]`;
    return options.cardinality === 'OPTIONAL' ? `[${text}]` : text;
  });
  return `${name}(${args.join(', ')}) -> ${formatArgument(asMessage(return_type, 'return_type'))}`;
}

/** Types that are whatever a call has, by their kinds in the analyzer. */
const templates: readonly (readonly [RegExp, string])[] = [
  [/^ARG_TYPE_ANY_(\d)$/, 'T$1'],
  [/^ARG_ARRAY_TYPE_ANY_(\d)$/, 'ARRAY<T$1>'],
  [/^ARG_STRUCT_ANY$/, 'STRUCT'],
  [/^ARG_ENUM_ANY$/, 'a part of a date or time'],
  [/^ARG_TYPE_LAMBDA$/, 'lambda'],
  [/^ARG_TYPE_ARBITRARY$/, 'any type'],
];

function formatArgument({ kind, type }: AnyNode): string {
  if (type !== undefined && type !== null) return formatProto(asMessage(type, 'type'));
  for (const [pattern, text] of templates) {
    if (pattern.test(String(kind))) return String(kind).replace(pattern, text);
  }
  return String(kind).replace(/^ARG_(?:TYPE_)?/, '');
}

function formatProto(type: AnyNode): string {
  if (type.type_kind === 'TYPE_ENUM') return 'part';
  try {
    return formatType(typeFromProto(type));
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    return String(type.type_kind).replace(/^TYPE_/, '');
  }
}
