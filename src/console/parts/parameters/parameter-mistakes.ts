import { Failure } from '../../api/failure.ts';

/** What is wrong with a parameter's value. */
export interface ParameterMistake {
  readonly parameter: string;
  readonly message: string;
}

/**
 * The mistakes of a call: what is missing, and what the gateway says of a parameter.
 *
 * @param failure of the call
 * @param fields what the form has fields for; a failure that is about something else is no mistake
 */
export function mistakesOf(
  failure: unknown,
  missing: readonly string[],
  fields: readonly string[],
): readonly ParameterMistake[] {
  const required = missing.map((parameter) => ({ parameter, message: 'This parameter is required.' }));
  if (!(failure instanceof Failure)) return required;
  const { parameter } = failure.facts;
  if (parameter === undefined || !fields.includes(parameter)) return required;
  return [...required, { parameter, message: failure.message }];
}
