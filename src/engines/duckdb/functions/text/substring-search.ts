import type { SqlType } from '../../../../sql/values/type.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { containsFolded } from '../../macros/search.ts';
import { jsonMemberKeys, jsonScalars } from '../../udf/text/json-search.ts';
import { normalizeCasefold } from '../../udf/text/normalization.ts';
import { type FunctionEntries, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { structField } from '../call/struct-field.ts';
import { convert } from '../conversions/conversions.ts';

const scopes = ['JSON_VALUES', 'JSON_KEYS', 'JSON_KEYS_AND_VALUES'] as const;
type Scope = (typeof scopes)[number];

/** The folded text to search for, as SQL, and the parts of JSON values to search. */
interface Search {
  readonly needle: string;
  readonly scope: Scope;
  refuse(what: string): Error;
}

/**
 * `CONTAINS_SUBSTR`: whether the value, or a value in it, contains a text, ignoring letter case and compatible forms.
 * As with OR, the result is NULL if there is a NULL and no match.
 */
function containsSubstr(call: FunctionCall): string {
  const needle = call.constantText(1, 'search value');
  if (needle === '') throw call.refusal('an empty search value');
  const scope = call.given(2) === undefined ? scopes[0] : call.constantText(2, 'json_scope');
  const known = scopes.find((name) => name === scope);
  if (known === undefined) throw call.refusal(`the json_scope ${scope}`);
  const search: Search = {
    needle: stringLiteral(normalizeCasefold(needle, 'NFKC')),
    scope: known,
    refuse: (what) => call.refusal(what),
  };
  return contains(call.sql(0), call.arg(0).type, search, 0);
}

function contains(value: string, type: SqlType, search: Search, depth: number): string {
  switch (type.kind) {
    case 'STRING':
      return containsFolded.call([value, search.needle]);
    case 'STRUCT': {
      const fields = type.fields.map((field, i) =>
        contains(structField(value, i, field.type), field.type, search, depth),
      );
      return `(${fields.join(' OR ')})`;
    }
    case 'ARRAY':
      return anyOf(value, type.element, search, depth);
    case 'JSON': {
      const keys = anyOf(jsonMemberKeys.call([value]), { kind: 'STRING' }, search, depth);
      const values = anyOf(jsonScalars.call([value]), { kind: 'STRING' }, search, depth);
      if (search.scope === 'JSON_KEYS') return keys;
      return search.scope === 'JSON_VALUES' ? values : `(${keys} OR ${values})`;
    }
    case 'BYTES':
    case 'INTERVAL':
    case 'GEOGRAPHY':
      throw search.refuse(type.kind);
    default: {
      const text = convert(
        type,
        { kind: 'STRING' },
        { value, constant: undefined, safe: false, zone: undefined },
      );
      return containsFolded.call([text, search.needle]);
    }
  }
}

function anyOf(list: string, element: SqlType, search: Search, depth: number): string {
  const name = `s${depth}`;
  const found = `list_transform(${list}, lambda ${name}: ${contains(name, element, search, depth + 1)})`;
  return `list_reduce(list_prepend(false, ${found}), lambda a, b: a OR b)`;
}

export const substringSearchFunctions: FunctionEntries = { contains_substr: total(containsSubstr) };
