import { GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';

const longestShown = 60;

/** A text in a message, shortened. */
export function shown(text: string): string {
  return JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
}

/** The error for a parameter's value. */
export function badValue(parameter: string, problem: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `Parameter "${parameter}"${problem}.`, { parameter });
}

/** The problem of one element, from 1. */
export function ofElement(number: number, problem: string): string {
  return `, element ${number}${problem}`;
}

/** The error for an array with too many elements. */
export function tooManyItems(maxItems: number, count?: number): string {
  const got = count === undefined ? 'more' : count.toLocaleString('en');
  return ` may have at most ${counted(maxItems, 'element')} (maxItems), got ${got}`;
}
