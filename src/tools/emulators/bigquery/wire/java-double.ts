/** Formats a number like Java's `Double.toString`, as BigQuery's responses do: `1.0`, `1.5E9`. */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits = '', exponentText = '0'] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 ? '-' : '';
  const exponent = Number(exponentText);
  const significant = digits.replace('.', '');
  if (exponent < -3 || exponent >= 7) {
    return `${sign}${significant.slice(0, 1)}.${significant.slice(1) || '0'}E${exponent}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${significant}`;
  const whole = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${significant.slice(exponent + 1) || '0'}`;
}
