import { z } from 'zod';
import { positionAt } from '../../base/errors/problem.ts';
import { JsonMistake, LocatedJson } from '../../base/text/located-json.ts';

interface NamedField {
  readonly name: string;
  readonly fields?: readonly NamedField[] | undefined;
}

const namedField: z.ZodType<NamedField> = z.object({
  name: z.string(),
  get fields() {
    return z.array(namedField).optional();
  },
});

const namedFields = z.array(namedField);
const fileOfFields = z.union([namedFields, z.object({ fields: namedFields })]);

/**
 * The line and column of a column in the text of a source's file, or of its innermost record that is there: rows may have
 * added the rest.
 *
 * @param path the names of the records around the column, and its own
 */
export function columnPlace(text: string, path: readonly string[]): { line: number; column: number } {
  try {
    const located = new LocatedJson(text);
    const { data: file = [] } = fileOfFields.safeParse(located.value);
    const steps = 'fields' in file ? pathIn(file.fields, path, ['fields']) : pathIn(file, path, []);
    return positionAt(text, located.offsetOf(steps));
  } catch (error) {
    if (error instanceof JsonMistake) return { line: 1, column: 1 };
    throw error;
  }
}

function pathIn(
  fields: readonly NamedField[],
  [name = '', ...rest]: readonly string[],
  before: readonly (string | number)[],
): readonly (string | number)[] {
  const index = fields.findIndex((field) => field.name.toLowerCase() === name.toLowerCase());
  const found = fields[index];
  if (found === undefined) return before;
  const path = [...before, index];
  return rest.length === 0 ? path : pathIn(found.fields ?? [], rest, [...path, 'fields']);
}
