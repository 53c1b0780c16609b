/** A number of requests in a number of seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Parses `10/s`, `600/m` or `5000/h`; undefined for every other text. */
export function parseRate(text: string): Rate | undefined {
  const [, requests, unit = ''] = /^([1-9]\d{0,8})\/([smh])$/.exec(text) ?? [];
  const seconds = secondsOf[unit];
  return requests === undefined || seconds === undefined
    ? undefined
    : { requests: Number(requests), seconds };
}

export const rateExpected =
  'expected a number of requests by second, minute or hour, such as 10/s, 600/m or 5000/h';
