import { isMap, isSeq, parseDocument } from 'yaml';
import type { Json, JsonObject } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import type { ParameterValues } from '../../parts/parameters/parameter-values.ts';

/** A case of a test file, made of rows that a try has answered. */
export interface PickedCase {
  readonly name: string;
  readonly values: ParameterValues;
  /** The time that its clock shows, in RFC 3339. */
  readonly now: string;
  /** Rows of the sources that it reads, by source. */
  readonly rows: Readonly<Record<string, readonly JsonObject[]>>;
  /** The picked rows of the result. */
  readonly expected: readonly JsonObject[];
}

/** How a test file has times and JSON in results. */
export interface TestStyle {
  readonly timestamps: 'micros' | 'iso';
  readonly json: 'text' | 'inline';
}

/** The style of a test file, which a new one has as people read it best. */
export function styleOf(test: string | undefined): TestStyle {
  if (test === undefined || test.trim() === '') return { timestamps: 'iso', json: 'inline' };
  const document = parseDocument(test);
  return {
    timestamps: document.get('timestamps') === 'iso' ? 'iso' : 'micros',
    json: document.get('json') === 'inline' ? 'inline' : 'text',
  };
}

/** The test file with one case more. @throws Error for a file whose YAML has errors */
export function withCase(test: string | undefined, picked: PickedCase): string {
  const isNew = test === undefined || test.trim() === '';
  const document = parseDocument(isNew ? 'timestamps: iso\njson: inline\ncases: []\n' : test);
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new Error('The test file has errors. Correct them first.');
  }
  const cases = document.get('cases', true);
  const known = isSeq(cases) ? cases.items.length : 0;
  const node = document.createNode(plainCase(picked, known));
  if (isSeq(cases)) {
    cases.flow = false;
    cases.add(node);
  } else document.set('cases', [node]);
  return document.toString({ lineWidth: 0 });
}

function plainCase({ name, values, now, rows, expected }: PickedCase, known: number) {
  return {
    name: known === 0 ? name : `${name} (${known + 1})`,
    now,
    ...(values.size > 0 && { parameters: Object.fromEntries(values) }),
    ...(Object.keys(rows).length > 0 && {
      rows: Object.fromEntries(Object.entries(rows).map(([source, given]) => [source, given.map(filled)])),
    }),
    expect: { contains: expected },
  };
}

/** A row without what is NULL or empty: rows of sources needn't say it. */
function filled(row: JsonObject): JsonObject {
  const left = Object.entries(row).flatMap(([key, value]): [string, Json][] => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    if (Array.isArray(value))
      return [[key, value.map((item: Json) => (isObject(item) ? filled(item) : item))]];
    return [[key, isObject(value) ? filled(value) : value]];
  });
  return Object.fromEntries(left);
}
