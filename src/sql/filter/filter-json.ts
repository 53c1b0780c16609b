import { JsonNumber } from '../../base/text/json-number.ts';
import { JsonFault, parseJsonText } from '../../base/text/json-reader.ts';
import { filterError } from './filter-error.ts';

/** The members of an object as written: names can repeat. */
export class Members {
  readonly all: readonly (readonly [name: string, value: FilterJson])[];

  constructor(all: Members['all']) {
    this.all = all;
  }
}

/** A filter as given: JSON whose numbers keep their digits. */
export type FilterJson = null | boolean | string | JsonNumber | readonly FilterJson[] | Members;

/** Levels of objects and lists in a text. Filters have their own limit, which is lower. */
const maxLevels = 100;

/**
 * Parses the text of a filter.
 *
 * @param root what the filter is called in errors
 * @throws GatewayError BAD_USER_INPUT
 */
export function parseFilter(text: string, root: string): FilterJson {
  try {
    return parseJsonText<FilterJson>(
      text,
      {
        number: (written) => new JsonNumber(written),
        object: (members) => new Members(members as Members['all']),
        accepts: () => true,
      },
      maxLevels,
    ) as FilterJson;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.kind === 'depth') throw filterError(root, [], 'nested too deeply');
    throw filterError(root, [], `not valid JSON at character ${error.at + 1}`);
  }
}

/** A filter that was parsed as part of something else, such as the arguments of a GraphQL operation. */
export function filterJson(value: unknown): FilterJson {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || value instanceof JsonNumber) return value;
  if (Array.isArray(value)) return value.map(filterJson);
  if (typeof value === 'object') {
    return new Members(Object.entries(value).map(([name, each]) => [name, filterJson(each)]));
  }
  return new JsonNumber(String(value));
}
