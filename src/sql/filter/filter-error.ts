import { GatewayError } from '../../base/errors/errors.ts';

/** A name within a filter, or the position of an element from 0. */
export type Step = string | number;

const plainName = /^[A-Za-z_]\w*$/;
const maxShown = 60;

/** A text of the caller as errors show it. */
export function shownText(text: string): string {
  const short = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  return JSON.stringify(short.toWellFormed());
}

/** The path of a part of a filter, such as `where.or[1].request.path.regex`. */
function pathText(root: string, steps: readonly Step[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return plainName.test(step) && step.length <= maxShown
      ? `${path}.${step}`
      : `${path}[${shownText(step)}]`;
  }, root);
}

/**
 * The error for a part of a filter or an order.
 *
 * @param root the name of the filter in the request: an argument or a parameter
 * @param steps the way from there to the part
 */
export function filterError(root: string, steps: readonly Step[], problem: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `${pathText(root, steps)}: ${problem}.`, { parameter: root });
}
