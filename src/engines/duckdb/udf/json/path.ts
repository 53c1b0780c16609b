import { Failure } from '../../../../sql/values/function-errors.ts';
import { keptByText } from '../js/kept-by-text.ts';

/** How a path quotes names with special characters: `$."a b"`, or `$['a b']` in the older functions. */
export type JsonPathStyle = 'quoted' | 'bracketed';

/** A step of a path: the name of a member. Digits are also the index of an element. */
export type JsonSteps = readonly string[];

/** A step that distinguishes names from indexes, as in functions that change JSON. */
export type StrictStep = string | number;

/** One step: a name, an index, or a quoted name, in which a backslash escapes the closing quote. */
const steps: Readonly<Record<JsonPathStyle, RegExp>> = {
  quoted: /\.([\p{L}\p{N}_\-:\s]+)|\[\s*([\p{N}_-]+)\s*\]|\."((?:[^\\"]|\\.)*)"/suy,
  bracketed: /\.([\p{L}\p{N}_\-:\s]+)|\[\s*([\p{L}\p{N}_-]+)\s*\]|\[\s*'((?:[^\\']|\\.)*)'\s*\]/suy,
};

/**
 * Parses a JSONPath.
 *
 * @throws Failure when it is invalid, or has other operators than names and indexes
 */
export function jsonSteps(path: string, style: JsonPathStyle): JsonSteps {
  return stepsIn[style](path);
}

/**
 * Parses a JSONPath with indexes as numbers.
 *
 * @param name the function's name, for errors
 * @throws Failure as `jsonSteps` does
 */
export function strictSteps(path: string, name: string): readonly StrictStep[] {
  const found: StrictStep[] = [];
  try {
    readSteps(path, 'quoted', (step, isIndex) => found.push(isIndex ? Number(step) : step));
  } catch (error) {
    throw error instanceof Failure ? new Failure(`Invalid input to ${name}: ${error.message}`) : error;
  }
  return found;
}

const stepsIn = { quoted: stepsOf('quoted'), bracketed: stepsOf('bracketed') };

function stepsOf(style: JsonPathStyle): (path: string) => JsonSteps {
  return keptByText((path) => {
    const found: string[] = [];
    readSteps(path, style, (step) => found.push(step));
    return found;
  });
}

function readSteps(path: string, style: JsonPathStyle, add: (step: string, isIndex: boolean) => void): void {
  if (!path.startsWith('$')) throw new Failure("JSONPath must start with '$'");
  const step = steps[style];
  const quote = style === 'quoted' ? '"' : "'";
  let at = 1;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) {
      const rest = path.slice(at);
      if (rest === '.' && style === 'bracketed') break;
      const operator = /\*|\.\.|@/.exec(rest)?.[0];
      throw new Failure(
        operator === undefined
          ? `Invalid token in JSONPath at: ${rest}`
          : `Unsupported operator in JSONPath: ${operator}`,
      );
    }
    add(match[1] ?? match[2] ?? (match[3] as string).replaceAll(`\\${quote}`, quote), match[2] !== undefined);
    at = step.lastIndex;
  }
}

/** The array index of a step. Undefined if it is not an index. */
export function elementIndex(step: string): number | undefined {
  const digits = /^\d+/.exec(step)?.[0];
  return digits === undefined ? undefined : Number(digits);
}
