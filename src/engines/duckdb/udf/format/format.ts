import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { listOf, text } from '../js/js-type.ts';
import { realOfDecimal, realOfDouble } from './real.ts';
import { parseFormat, type Specifier } from './specifier.ts';
import { type NumberForm, writeInteger, writeReal } from './write-number.ts';

/** Strings and structural characters. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;

/** The distinguished types of arguments, by the letter that represents them. */
export type ArgumentKind = 'i' | 'f' | 'n' | 's' | 'j' | 'o';

const kindNames: Readonly<Record<string, string>> = {
  i: 'INT64',
  f: 'FLOAT64',
  n: 'NUMERIC',
  s: 'STRING',
  j: 'JSON',
};

/** An argument in all texts that a specifier may need. */
interface Argument {
  readonly kind: string;
  /** The value: digits, characters, JSON. Null if the argument is NULL. */
  readonly raw: string | null;
  readonly forT: string;
  readonly forCapitalT: string;
}

const maxOutput = 1_048_576;

class Arguments {
  readonly #list: readonly Argument[];
  readonly #pattern: string;
  #next = 0;

  constructor(list: readonly Argument[], pattern: string) {
    this.#list = list;
    this.#pattern = pattern;
  }

  take(): Argument {
    const argument = this.#list[this.#next++];
    if (argument === undefined) throw this.#miscount('few');
    return argument;
  }

  assertAllTaken(): void {
    if (this.#next < this.#list.length) throw this.#miscount('many');
  }

  #miscount(what: 'few' | 'many'): Failure {
    const parts = parseFormat(this.#pattern).filter((part) => typeof part !== 'string');
    const stars = parts.flatMap(({ width, precision }) => [width, precision]).filter((size) => size === '*');
    const expected = parts.length + stars.length + 1;
    return new Failure(
      `Too ${what} arguments to FORMAT for pattern "${this.#pattern}"; Expected ${expected}; Got ${this.#list.length + 1}`,
    );
  }

  /** A width or precision given by an argument. Null if the argument is NULL. */
  size(size: number | '*' | undefined): number | undefined | null {
    if (size !== '*') return size;
    const { raw } = this.take();
    if (raw === null) return null;
    if (Math.abs(Number(raw)) > maxOutput)
      throw new Failure('Output of FORMAT exceeds max allowed output size of 1MB');
    return Number(raw);
  }
}

/**
 * FORMAT. The types of the arguments are given as one letter each, and each argument as three texts: its value, and its
 * forms for %t and %T.
 */
export const formatText = new JsFunction(
  'format_text',
  [text, text, listOf(text)],
  text,
  (format, kinds, texts) => {
    const list = Array.from(kinds, (kind, i): Argument => {
      const [raw = null, forT, forCapitalT] = texts.slice(3 * i, 3 * i + 3);
      return { kind, raw, forT: forT ?? 'NULL', forCapitalT: forCapitalT ?? 'NULL' };
    });
    const args = new Arguments(list, format);
    let result: string | null = '';
    for (const part of parseFormat(format)) {
      const written = typeof part === 'string' ? part : write(part, args);
      result = result === null || written === null ? null : result + written;
      if (result !== null && result.length > maxOutput)
        throw new Failure('Output of FORMAT exceeds max allowed output size of 1MB');
    }
    args.assertAllTaken();
    return result;
  },
);

function write(specifier: Specifier, args: Arguments): string | null {
  const width = args.size(specifier.width);
  const precision = args.size(specifier.precision);
  const argument = args.take();
  if (width === null || precision === null) return null;
  const form: NumberForm = {
    conversion: specifier.conversion,
    flags: width !== undefined && width < 0 ? `${specifier.flags}-` : specifier.flags,
    width: Math.abs(width ?? 0),
    precision: precision !== undefined && precision < 0 ? undefined : precision,
  };
  return writeArgument(form, argument);
}

function writeArgument(form: NumberForm, argument: Argument): string | null {
  const { kind, raw } = argument;
  switch (form.conversion) {
    case 't':
      return writeText(argument.forT, form);
    case 'T':
      return writeText(argument.forCapitalT, form);
    case 's':
      assertKind(kind, 's', 'STRING');
      return raw === null ? null : writeText(raw, form);
    case 'p':
    case 'P':
      assertKind(kind, 'j', 'JSON');
      return raw === null
        ? null
        : writeText(form.conversion === 'p' ? compactJson(raw) : prettyJson(raw), form);
    case 'd':
    case 'i':
    case 'o':
    case 'x':
    case 'X':
      assertKind(kind, 'i', 'integer');
      return raw === null ? null : writeInteger(BigInt(raw), form);
    case 'u':
      throw new Failure(`Invalid type for FORMAT; Expected UINT; Got ${kindNames[kind] ?? 'another type'}`);
    default:
      assertKind(kind, 'fn', 'FLOAT64');
      if (raw === null) return null;
      return writeReal(kind === 'n' ? realOfDecimal(raw) : realOfDouble(raw), form);
  }
}

function assertKind(kind: string, allowed: string, expected: string): void {
  if (!allowed.includes(kind))
    throw new Failure(
      `Invalid type for FORMAT; Expected ${expected}; Got ${kindNames[kind] ?? 'another type'}`,
    );
}

/** Width and precision are in characters. */
function writeText(value: string, { flags, width, precision }: NumberForm): string {
  if (precision === undefined && width === 0) return value;
  const characters = Array.from(value);
  const kept = precision === undefined ? characters : characters.slice(0, precision);
  const padding = ' '.repeat(Math.max(width - kept.length, 0));
  return flags.includes('-') ? kept.join('') + padding : padding + kept.join('');
}

/** JSON text on several lines, indented by two spaces per level. Its scalars are unchanged. */
function prettyJson(json: string): string {
  let result = '';
  let depth = 0;
  let last = '';
  const newLine = () => `\n${'  '.repeat(depth)}`;
  for (const [part] of json.matchAll(token)) {
    if (part === '}' || part === ']') {
      depth--;
      if (last !== '{' && last !== '[') result += newLine();
    } else if (last === '{' || last === '[' || last === ',') {
      result += newLine();
    }
    result += part === ':' ? ': ' : part;
    if (part === '{' || part === '[') depth++;
    last = part;
  }
  return result;
}

/** JSON text without white space around its structural characters. */
function compactJson(json: string): string {
  return (json.match(token) ?? []).join('');
}
