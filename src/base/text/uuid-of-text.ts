import { hash } from 'node:crypto';

/** A UUID (RFC 9562, version 8) that is always the same for a text, and different for others. */
export function uuidOfText(text: string): string {
  const digits = hash('sha256', text, 'hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
