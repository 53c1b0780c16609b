import type { Expression } from '../emit/expression.ts';
import { stringLiteral } from '../literal.ts';
import { civilText } from '../macros/time.ts';
import { type FunctionEntries, failing } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

/** `%`, flags, width, precision, and what is written. */
const specifier = /%([-+ 0#']*)(\d+)?(?:\.(\d+))?([a-zA-Z%])/g;

interface Specifier {
  readonly flags: string;
  readonly width: string | undefined;
  readonly precision: string | undefined;
  readonly conversion: string;
}

/** FORMAT with a format that is known. NULL anywhere gives NULL, but for %t and %T. */
function format(call: FunctionCall): string {
  const text = call.constantText(0, 'format');
  const parts: string[] = [];
  let index = 1;
  let end = 0;
  for (const match of text.matchAll(specifier)) {
    if (match.index > end) parts.push(stringLiteral(text.slice(end, match.index)));
    end = match.index + match[0].length;
    const [, flags = '', width, precision, conversion = ''] = match;
    if (conversion === '%') parts.push("'%'");
    else parts.push(write({ flags, width, precision, conversion }, call.arg(index++), call));
  }
  if (text.slice(end).includes('%')) throw call.refusal('a broken format');
  if (end < text.length) parts.push(stringLiteral(text.slice(end)));
  return parts.length === 0 ? "''" : `(${parts.join(' || ')})`;
}

function write(spec: Specifier, value: Expression, call: FunctionCall): string {
  const { flags, width, precision, conversion } = spec;
  const plain = flags === '' && width === undefined && precision === undefined;
  const key = `%${conversion} of ${value.type.kind}`;
  // Zero has no sign.
  const number = value.type.kind === 'FLOAT64' ? `${value.sql} + 0` : value.sql;
  const printf = `printf('%${flags}${width ?? ''}${precision === undefined ? '' : `.${precision}`}${conversion === 'i' ? 'd' : conversion}', ${number})`;
  switch (key) {
    case '%s of STRING':
      return padded(spec, value.sql, call);
    case '%d of INT64':
    case '%i of INT64':
      if (flags === "'" && width === undefined && precision === undefined)
        return `format('{:,}', ${value.sql})`;
      if (flags.includes("'") || precision !== undefined) throw call.refusal('this form of %d');
      return printf;
    case '%x of INT64':
    case '%X of INT64':
    case '%o of INT64':
      if (!plain) throw call.refusal(`this form of %${conversion}`);
      return `(CASE WHEN ${value.sql} < 0 THEN '-' ELSE '' END || printf('%${conversion}', abs(${value.sql})))`;
    case '%f of FLOAT64':
    case '%e of FLOAT64':
    case '%g of FLOAT64':
      if (flags.includes("'") || flags.includes('#')) throw call.refusal(`the flags ${flags}`);
      return printf;
    default: {
      const text = plain ? texts[key] : undefined;
      if (text === undefined) throw call.refusal(plain ? key : `this form of ${key}`);
      return `coalesce(${text(value.sql)}, 'NULL')`;
    }
  }
}

const texts: Readonly<Record<string, (value: string) => string>> = {
  '%t of STRING': (value) => value,
  '%t of INT64': (value) => `CAST(${value} AS VARCHAR)`,
  '%T of INT64': (value) => `CAST(${value} AS VARCHAR)`,
  '%t of BOOL': (value) => `CAST(${value} AS VARCHAR)`,
  '%T of BOOL': (value) => `CAST(${value} AS VARCHAR)`,
  '%t of DATE': (value) => `CAST(${value} AS VARCHAR)`,
  '%t of TIMESTAMP': (value) => civilText.call([value, "'+00'"]),
};

function padded({ flags, width, precision }: Specifier, value: string, call: FunctionCall): string {
  if (/[^-]/.test(flags)) throw call.refusal(`the flags ${flags}`);
  const text = precision === undefined ? value : `left(${value}, ${precision})`;
  if (width === undefined) return text;
  const pad = flags.includes('-') ? 'rpad' : 'lpad';
  return `CASE WHEN length(${text}) >= ${width} THEN ${text} ELSE ${pad}(${text}, ${width}, ' ') END`;
}

export const formatFunctions: FunctionEntries = { format: failing(format) };
