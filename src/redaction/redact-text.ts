import { isIPv6 } from 'node:net';

const replacement = 'REDACTED';

/** Four numbers from 0 to 255, leading zeros allowed, as words (contract, section g). */
const ipv4 = /\b(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d?\d)\b/g;

/** What could be an IPv6 address: a run of its characters with two colons or more, and perhaps a zone. */
const ipv6Candidate =
  /(?<![\p{L}\p{N}_:.])[0-9a-fA-F]{0,4}:[0-9a-fA-F]{0,4}:[0-9a-fA-F:.]{0,80}(?:%[\w.-]{1,32})?(?![\p{L}\p{N}_:])/gu;

/**
 * Replaces the IPv4 and IPv6 addresses in a text by `REDACTED`. An IPv6 address counts wherever no letter,
 * digit or colon touches it, so in brackets, in quotes, behind `=` and before punctuation. Takes time in
 * proportion to the text's length.
 */
export function redactText(text: string): string {
  // Most texts have neither three dots nor two colons.
  const hidden = text.includes(':') ? text.replace(ipv6Candidate, redactCandidate) : text;
  return hidden.includes('.') ? hidden.replace(ipv4, replacement) : hidden;
}

function redactCandidate(candidate: string): string {
  if (isIPv6(candidate)) return replacement;
  // The full stop of a sentence, or the dot-separated rest of something else, may follow.
  const dot = candidate.indexOf('.', candidate.lastIndexOf(':'));
  const address = dot < 0 ? candidate : candidate.slice(0, dot);
  return isIPv6(address) ? replacement + candidate.slice(address.length) : candidate;
}
