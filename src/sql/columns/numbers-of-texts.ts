/** Days since 1970-01-01 of a `YYYY-MM-DD`. */
export function daysOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}

/** Microseconds since 1970-01-01T00:00:00 of a `YYYY-MM-DDTHH:MM:SS[.ffffff]`. */
export function microsOfDatetime(datetime: string): bigint {
  return BigInt(Date.parse(`${datetime.slice(0, 19)}Z`)) * 1000n + fractionOf(datetime.slice(20));
}

/** Microseconds since midnight of an `HH:MM:SS[.ffffff]`. */
export function microsOfTime(time: string): bigint {
  const [hours, minutes, seconds] = time.slice(0, 8).split(':').map(Number);
  const whole = ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
  return BigInt(whole) * 1_000_000n + fractionOf(time.slice(9));
}

function fractionOf(digits: string): bigint {
  return digits === '' ? 0n : BigInt(digits.padEnd(6, '0'));
}

/** The integer of a decimal number without its point, with this many digits after it. */
export function unscaled(decimal: string, scale: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
}
