import { Failure } from '../../../../sql/values/function-errors.ts';
import type { TimeKind } from './allowed-elements.ts';
import {
  type ElementCategory,
  type FormatElement,
  foreignCategories,
  formatElements,
} from './format-model.ts';

const parsed = new Set(
  'TEXT SPACE YYYY YYY YY Y RRRR RR Y,YYY MM MON MONTH DD HH HH12 HH24 MI SS SSSSS A.M. P.M. TZH TZM'.split(
    ' ',
  ),
);

/** Categories of which a format may have only one element. */
const single: readonly ElementCategory[] = ['MERIDIAN_INDICATOR', 'YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE'];

/**
 * The elements of a format for parsing, which must not conflict.
 *
 * @throws Failure when they conflict, or are not available for the type
 */
export function checkedForParsing(format: string, kind: TimeKind): readonly FormatElement[] {
  const elements = formatElements(format);
  const named = elements.filter(({ category }) => category !== 'LITERAL');
  for (const [i, { name }] of named.entries()) {
    if (!parsed.has(name) && !name.startsWith('FF'))
      throw new Failure(`Format element '${name}' is not supported for parsing`);
    if (named.slice(0, i).some((other) => sameElement(other.name, name)))
      throw new Failure(`Format element '${name}' appears more than once in the format string`);
  }
  const of = (category: ElementCategory) => named.filter((element) => element.category === category);
  for (const category of foreignCategories[kind]) {
    const [first] = of(category);
    if (first !== undefined)
      throw new Failure(
        `Format element in category ${category} ('${first.name}') is not allowed for output type ${kind}`,
      );
  }
  for (const category of single) {
    const [first, second] = of(category);
    if (first !== undefined && second !== undefined)
      throw new Failure(
        `More than one format element in category ${category} exist: '${first.name}' and '${second.name}'`,
      );
  }
  checkClock(named);
  return elements;
}

function sameElement(a: string, b: string): boolean {
  return a === b || (a.startsWith('FF') && b.startsWith('FF'));
}

/** 12-hour clocks require A.M. or P.M., others exclude it, and seconds of the day exclude all other parts of a time. */
function checkClock(named: readonly FormatElement[]): void {
  const has = (...names: string[]) => named.some(({ name }) => names.includes(name));
  const hasMeridian = has('A.M.', 'P.M.');
  const together = (a: string, b: string) =>
    new Failure(`Format elements '${a}' and '${b}' cannot exist simultaneously`);
  if (has('HH24') && hasMeridian) throw together('A.M.', 'HH24');
  if (has('HH', 'HH12') && !hasMeridian)
    throw new Failure(
      "Format element in category MERIDIAN_INDICATOR is required when format element 'HH12' exists",
    );
  if (hasMeridian && !has('HH', 'HH12'))
    throw new Failure(
      'Format element of type HH/HH12 is required when format element in category MERIDIAN_INDICATOR exists',
    );
  for (const other of ['HH', 'HH12', 'HH24', 'MI', 'SS']) {
    if (has('SSSSS') && has(other)) throw together('SSSSS', other);
  }
}
