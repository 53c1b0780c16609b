import { repeatsNothing } from '../../../../sql/regexp/analysis.ts';
import { Budget, findMatch, type Match } from '../../../../sql/regexp/machine.ts';
import { parsePattern } from '../../../../sql/regexp/parse.ts';
import { compile, type Program } from '../../../../sql/regexp/program.ts';
import { Failure, Refusal } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { int64, listOf, text } from '../js/js-type.ts';
import { keptByText } from '../js/kept-by-text.ts';

/** How many programs are kept. A query has few. */
const maxPrograms = 100;

const programOf = keptByText((pattern): Program => {
  const parsed = parsePattern(pattern);
  if (repeatsNothing(parsed.root))
    throw new Refusal('Not supported: the repetition of what matches nothing in a regular expression');
  return compile(parsed);
}, maxPrograms);

function extractionOf(pattern: string): Program {
  const program = programOf(pattern);
  if (program.groups > 1) {
    throw new Failure(
      'Regular expressions passed into extraction functions must not have more than 1 capturing group',
    );
  }
  return program;
}

/** The start and end of the extracted part: the group if there is one, else the whole match. */
function captured({ groups }: Program, match: Match): readonly [number, number] | undefined {
  const [start, end] = groups === 0 ? match : match.slice(2);
  return start === undefined || end === undefined ? undefined : [start, end];
}

/** The successive matches. A match at the end of a non-empty text is not searched for. */
function* matches(program: Program, characters: readonly string[]): Generator<Match> {
  const budget = new Budget();
  for (let from = 0; from < characters.length || from === 0; ) {
    const match = findMatch(program, characters, from, budget);
    const [start, end] = match ?? [];
    if (match === undefined || start === undefined || end === undefined) return;
    yield match;
    from = end > start ? end : end + 1;
  }
}

/** The text from a 1-based position on, and the given occurrence in it. Undefined if there is none. */
function occurrenceOf(value: string, program: Program, position: bigint, occurrence: bigint) {
  if (position <= 0n) throw new Failure('Position must be positive');
  if (occurrence <= 0n) throw new Failure('Occurrence must be positive');
  const all = Array.from(value);
  if (position > 1n && position > all.length) return undefined;
  const characters = all.slice(Number(position) - 1);
  let left = occurrence;
  for (const match of matches(program, characters)) if (--left === 0n) return { characters, match };
  return undefined;
}

/** REGEXP_EXTRACT. */
export const regexpExtract = new JsFunction(
  'regexp_extract',
  [text, text, int64, int64],
  text,
  (value, pattern, position, occurrence) => {
    const program = extractionOf(pattern);
    const found = occurrenceOf(value, program, position, occurrence);
    const part = found && captured(program, found.match);
    return part === undefined ? null : (found?.characters.slice(...part).join('') ?? null);
  },
);

/** REGEXP_EXTRACT_ALL. A group that doesn't take part in a match is an empty text. */
export const regexpExtractAll = new JsFunction(
  'regexp_extract_all',
  [text, text],
  listOf(text),
  (value, pattern) => {
    const program = extractionOf(pattern);
    const characters = Array.from(value);
    return Array.from(matches(program, characters), (match) =>
      characters.slice(...(captured(program, match) ?? [0, 0])).join(''),
    );
  },
);

/** REGEXP_INSTR: the start of the part, or its end if the last argument is 1; 0 without a match. */
export const regexpPosition = new JsFunction(
  'regexp_position',
  [text, text, int64, int64, int64],
  int64,
  (value, pattern, position, occurrence, after) => {
    if (after !== 0n && after !== 1n) throw new Failure('Invalid return_position_after_match.');
    const program = extractionOf(pattern);
    if (pattern === '') return 0n;
    const found = occurrenceOf(value, program, position, occurrence);
    const part = found && captured(program, found.match);
    if (found === undefined || part === undefined) return 0n;
    const { length } = found.characters;
    if (length === 0) return 0n;
    const [start, end] = part;
    // After an empty match, the evaluator advances by a character before it checks the position. The documentation
    // doesn't specify this.
    if (start === end && program.groups === 0) return position + BigInt(Math.min(start + 1, length));
    return position + BigInt(after === 1n ? end : start);
  },
);

export const regexpFunctionsInJs = [regexpExtract, regexpExtractAll, regexpPosition];
