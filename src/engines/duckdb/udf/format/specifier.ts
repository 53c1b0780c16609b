import { Failure } from '../../../../sql/regexp/syntax.ts';

/** `%`, flags, width, precision, and the conversion. */
export interface Specifier {
  readonly flags: string;
  /** The minimum number of characters. `*` means that an argument contains it. */
  readonly width: number | '*' | undefined;
  readonly precision: number | '*' | undefined;
  /** A letter: `d`, `s`, `t`. */
  readonly conversion: string;
}

const form = /%([-+ 0#']*)(\*|\d+)?(?:\.(\*|\d+)?)?([a-zA-Z%])/y;

/** The maximum width of BigQuery's output in characters. */
const maxSize = 1_048_576;

/** Splits a format into literal texts and specifiers. @throws Failure when it is invalid */
export function parseFormat(format: string): readonly (string | Specifier)[] {
  const parts: (string | Specifier)[] = [];
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf('%', at);
    if (percent > at || percent === -1) parts.push(format.slice(at, percent === -1 ? undefined : percent));
    if (percent === -1) break;
    form.lastIndex = percent;
    const match = form.exec(format);
    if (match === null) throw new Failure(`Invalid FORMAT string: "${format}"`);
    parts.push(specifier(match, format));
    at = form.lastIndex;
  }
  return parts;
}

function specifier(match: RegExpExecArray, format: string): string | Specifier {
  const [whole, flags = '', width, precision, conversion = ''] = match;
  if (conversion === '%') {
    if (whole !== '%%') throw new Failure(`Invalid FORMAT string: "${format}"`);
    return '%';
  }
  if (!'diouxXfFeEgGstTpP'.includes(conversion)) {
    throw new Failure(`Invalid format specifier character "${conversion}" in FORMAT string: "${format}"`);
  }
  const hasPoint = /\./.test(whole);
  return { flags, width: size(width), precision: hasPoint ? (size(precision) ?? 0) : undefined, conversion };
}

function size(written: string | undefined): number | '*' | undefined {
  if (written === undefined || written === '*') return written;
  const value = Number(written);
  if (value > maxSize) throw new Failure('Output of FORMAT exceeds max allowed output size of 1MB');
  return value;
}
