import { Failure } from '../../../../sql/values/function-errors.ts';
import { keptByText } from '../js/kept-by-text.ts';
import type { TimeKind } from './allowed-elements.ts';

/** The category of an element in a format of CAST(... FORMAT ...). */
export type ElementCategory =
  | 'LITERAL'
  | 'YEAR'
  | 'MONTH'
  | 'DAY'
  | 'HOUR'
  | 'MINUTE'
  | 'SECOND'
  | 'MERIDIAN_INDICATOR'
  | 'TIME_ZONE'
  | 'OTHER';

export interface FormatElement {
  /** In capitals, such as `YYYY`. `TEXT` for literal text, `SPACE` for white space. */
  readonly name: string;
  /** The element as written, or the content of `TEXT`. */
  readonly text: string;
  readonly category: ElementCategory;
}

const categories: readonly (readonly [ElementCategory, string])[] = [
  ['YEAR', 'YYYY YYY YY Y RRRR RR Y,YYY IYYY IYY IY I SYYYY YEAR SYEAR'],
  ['MONTH', 'MM MON MONTH RM'],
  ['DAY', 'DDD DD D DAY DY J'],
  ['HOUR', 'HH HH12 HH24'],
  ['MINUTE', 'MI'],
  ['SECOND', 'SS SSSSS FF1 FF2 FF3 FF4 FF5 FF6 FF7 FF8 FF9'],
  ['MERIDIAN_INDICATOR', 'AM PM A.M. P.M.'],
  ['TIME_ZONE', 'TZH TZM'],
  ['OTHER', 'CC SCC Q IW WW W AD BC A.D. B.C. SP TH SPTH THSP FM'],
];

const categoryOf = new Map(
  categories.flatMap(([category, names]) => names.split(' ').map((name) => [name, category] as const)),
);

const longestFirst = [...categoryOf.keys()].sort((a, b) => b.length - a.length);

/**
 * Parses the elements of a format of CAST according to BigQuery's format model for dates and times: letter case is
 * ignored, the longest matching element is used, and other text must be in double quotes.
 *
 * @throws Failure when the format has an unknown element
 */
export const formatElements = keptByText((format): readonly FormatElement[] => [...readElements(format)]);

function* readElements(format: string): Generator<FormatElement> {
  for (let at = 0; at < format.length; ) {
    const rest = format.slice(at);
    const space = /^ +/.exec(rest)?.[0];
    const quoted = /^"((?:[^"\\]|\\["\\])*)"/.exec(rest);
    if (space !== undefined) {
      yield { name: 'SPACE', text: space, category: 'LITERAL' };
      at += space.length;
    } else if (/^[-./,';:]/.test(rest)) {
      yield { name: 'TEXT', text: rest.charAt(0), category: 'LITERAL' };
      at++;
    } else if (quoted !== null) {
      yield { name: 'TEXT', text: (quoted[1] as string).replace(/\\(.)/g, '$1'), category: 'LITERAL' };
      at += quoted[0].length;
    } else {
      const upper = rest.slice(0, 5).toUpperCase();
      const name = longestFirst.find((element) => upper.startsWith(element));
      const category = name === undefined ? undefined : categoryOf.get(name);
      if (name === undefined || category === undefined)
        throw new Failure(`Cannot find matched format element at ${at}`);
      yield { name, text: rest.slice(0, name.length), category };
      at += name.length;
    }
  }
}

/** The categories that are not available for a type. */
export const foreignCategories: Readonly<Record<TimeKind, readonly ElementCategory[]>> = {
  TIMESTAMP: [],
  DATETIME: ['TIME_ZONE'],
  DATE: ['HOUR', 'MINUTE', 'SECOND', 'MERIDIAN_INDICATOR', 'TIME_ZONE'],
  TIME: ['YEAR', 'MONTH', 'DAY', 'TIME_ZONE', 'OTHER'],
};
