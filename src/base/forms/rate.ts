import { secondsByUnit } from './time-units.ts';

/** A number of requests in a number of seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** Parses `10/s`, `600/m` or `5000/h`; undefined for every other text. */
export function parseRate(text: string): Rate | undefined {
  const [, requests, unit = ''] = /^([1-9]\d{0,8})\/([smh])$/.exec(text) ?? [];
  const seconds = secondsByUnit[unit];
  return requests === undefined || seconds === undefined
    ? undefined
    : { requests: Number(requests), seconds };
}

export const rateExpected =
  'expected a number of requests by second, minute or hour, such as 10/s, 600/m or 5000/h';
