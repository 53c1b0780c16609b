import { Failure } from './syntax.ts';

export type Matcher = (character: string) => boolean;

/** RE2's names of ASCII classes, with their contents in JavaScript's syntax. */
const asciiClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** The classes of one letter. A capital letter negates them. */
const perlClasses: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ', w: '0-9A-Za-z_' };

/** The matcher of a class in JavaScript's syntax. */
function ofClass(content: string, isNegated: boolean, ignoresCase: boolean): Matcher {
  const form = new RegExp(`^[${isNegated ? '^' : ''}${content}]$`, 'u');
  return ignoresCase
    ? (character) => variants(character).some((each) => form.test(each))
    : (character) => form.test(character);
}

export function perlClass(letter: string, ignoresCase: boolean): Matcher | undefined {
  const content = perlClasses[letter.toLowerCase()];
  return content === undefined ? undefined : not(ofClass(content, false, ignoresCase), /[A-Z]/.test(letter));
}

export function asciiClass(name: string, ignoresCase: boolean): Matcher {
  const isNegated = name.startsWith('^');
  const content = asciiClasses[isNegated ? name.slice(1) : name];
  if (content === undefined)
    throw new Failure(`Cannot parse regular expression: invalid character class range: [:${name}:]`);
  return not(ofClass(content, false, ignoresCase), isNegated);
}

/** A general category or a script: `L`, `Greek`. */
export function unicodeClass(name: string, isNegated: boolean, ignoresCase: boolean): Matcher {
  const negated = name.startsWith('^') !== isNegated;
  const plain = name.replace(/^\^/, '');
  if (plain === 'Any') return () => !negated;
  for (const property of [plain, `Script=${plain}`]) {
    try {
      const positive = ofClass(`\\p{${property}}`, false, ignoresCase);
      return not(positive, negated);
    } catch {
      // Not a general category. It may be a script.
    }
  }
  throw new Failure(`Cannot parse regular expression: invalid character class range: \\p{${name}}`);
}

export function not(matcher: Matcher, isNegated: boolean): Matcher {
  return isNegated ? (character) => !matcher(character) : matcher;
}

export function range(first: number, last: number, ignoresCase: boolean): Matcher {
  const isInside = (character: string) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= first && code <= last;
  };
  return ignoresCase ? (character) => variants(character).some(isInside) : isInside;
}

export function single(wanted: string, ignoresCase: boolean): Matcher {
  if (!ignoresCase) return (character) => character === wanted;
  const all = new Set(variants(wanted));
  return (character) => variants(character).some((each) => all.has(each));
}

/** A character in all letter cases that are a single character. */
function variants(character: string): readonly string[] {
  const upper = character.toUpperCase();
  const all = [character, character.toLowerCase(), upper, upper.toLowerCase()];
  return all.filter((each) => [...each].length === 1);
}
