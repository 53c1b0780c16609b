import type { TextRange } from '../../../sql/plan/parse-tree.ts';
import { asksClock, type Constant } from '../bounds/constant.ts';
import { type KnownValues, knownValue } from '../bounds/known-value.ts';
import type { TextEdit } from '../text/text-edits.ts';

/**
 * A part of a text of which the parameters of a call may decide that it makes no difference. It is plain data, because it is found
 * in another thread.
 */
export type Choice = Connective | Branches | FirstValue;

/** AND or OR, of which one operand can decide alone. */
export interface Connective {
  readonly kind: 'connective';
  readonly range: TextRange;
  /** FALSE for AND, TRUE for OR. */
  readonly decisive: boolean;
  /** The operands that are constant. */
  readonly constants: readonly Constant[];
}

/** IF or CASE: a condition for each result, undefined where it depends on the row, and perhaps a last result without one. */
export interface Branches {
  readonly kind: 'branches';
  readonly conditions: readonly (Constant | undefined)[];
  readonly results: readonly Part[];
  /** The conditions that can be FALSE instead, by their places. */
  readonly conditionRanges: readonly (TextRange | undefined)[];
}

/** COALESCE or IFNULL: arguments after one that isn't NULL are never computed. */
export interface FirstValue {
  readonly kind: 'first value';
  readonly constants: readonly (Constant | undefined)[];
  readonly arguments: readonly Part[];
}

/** An expression, and what can be in its place if it is never computed. Undefined if nothing can. */
export interface Part {
  readonly range: TextRange;
  readonly sql: string | undefined;
}

/** The edits that take out of a text what the parameters of a call exclude, so that BigQuery reads no column for it. */
export function chosenEdits(choices: readonly Choice[], known: KnownValues): readonly TextEdit[] {
  const edits = choices.flatMap((choice) => editsOf(choice, known));
  return edits.filter(
    (edit, index) =>
      !edits.some(
        (outer, i) => i !== index && isWithin(edit, outer) && (i < index || !isWithin(outer, edit)),
      ),
  );
}

/** Whether a range, as that of an edit, is another one or a part of it. */
export function isWithin(edit: TextRange, outer: TextRange): boolean {
  return edit.start >= outer.start && edit.end <= outer.end;
}

function editsOf(choice: Choice, known: KnownValues): readonly TextEdit[] {
  // BigQuery's clock is another one.
  const valueFor = (constant: Constant | undefined) =>
    constant === undefined || asksClock(constant) ? undefined : knownValue(constant, known);
  switch (choice.kind) {
    case 'connective': {
      const { range, decisive, constants } = choice;
      const isDecided = constants.some((constant) => valueFor(constant) === decisive);
      return isDecided ? [{ ...range, text: decisive ? 'TRUE' : 'FALSE' }] : [];
    }
    case 'branches': {
      const { conditions, results, conditionRanges } = choice;
      const values = conditions.map(valueFor);
      const certain = values.indexOf(true);
      const isAfter = (index: number) => certain >= 0 && index > certain;
      const unreached = results.filter(
        (_, index) => isAfter(index) || values[index] === false || values[index] === null,
      );
      const unasked = conditionRanges.filter(
        (range, index) => range !== undefined && isAfter(index) && conditions[index] === undefined,
      );
      return [
        ...unreached.flatMap(withoutValue),
        ...unasked.flatMap((range) => (range === undefined ? [] : [{ ...range, text: 'FALSE' }])),
      ];
    }
    case 'first value': {
      const found = choice.constants
        .map(valueFor)
        .findIndex((value) => value !== undefined && value !== null);
      return found < 0 ? [] : choice.arguments.slice(found + 1).flatMap(withoutValue);
    }
  }
}

function withoutValue({ range, sql }: Part): readonly TextEdit[] {
  return sql === undefined ? [] : [{ ...range, text: sql }];
}
