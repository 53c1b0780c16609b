/**
 * Civil times of the analyzer, packed into the bits of an integer as described in its `civil_time.h`: seconds 0-5,
 * minutes 6-11, hours 12-16, days 17-21, months 22-25, years 26-39.
 */
function bits(packed: bigint, offset: bigint, width: bigint): string {
  return String((packed >> offset) & ((1n << width) - 1n));
}

function clock(packed: bigint, nanoseconds: number): string {
  const [hour, minute, second] = [bits(packed, 12n, 5n), bits(packed, 6n, 6n), bits(packed, 0n, 6n)];
  const micros = Math.trunc(nanoseconds / 1000);
  const time = [hour, minute, second].map((part) => part.padStart(2, '0')).join(':');
  return micros === 0 ? time : `${time}.${String(micros).padStart(6, '0')}`;
}

/** The text form of a packed DATETIME, as in `Value`. */
export function datetimeText(packedSeconds: bigint, nanoseconds: number): string {
  const [year, month, day] = [
    bits(packedSeconds, 26n, 14n).padStart(4, '0'),
    bits(packedSeconds, 22n, 4n).padStart(2, '0'),
    bits(packedSeconds, 17n, 5n).padStart(2, '0'),
  ];
  return `${year}-${month}-${day}T${clock(packedSeconds, nanoseconds)}`;
}

/** The text form of a packed TIME: nanoseconds in the low 30 bits, the packed time above. */
export function timeText(packed: bigint): string {
  return clock(packed >> 30n, Number(packed & ((1n << 30n) - 1n)));
}
