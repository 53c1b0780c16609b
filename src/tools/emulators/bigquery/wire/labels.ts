import { GoogleError } from './google-error.ts';

const key = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const value = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;
const maxLabels = 64;

/**
 * Checks labels against BigQuery's rules: at most 64; keys of 1 to 63 characters that begin with a letter, values of at
 * most 63 characters, both of lower-case letters of any script, digits, `_` and `-`.
 *
 * Source: https://cloud.google.com/bigquery/docs/labels-intro#requirements
 */
export function checkLabels(labels: Readonly<Record<string, string>>): void {
  const entries = Object.entries(labels);
  if (entries.length > maxLabels) throw GoogleError.invalid(`Number of labels exceeds ${maxLabels}`);
  for (const [name, text] of entries) {
    if (!key.test(name)) {
      const rule =
        'Label keys must start with a lowercase letter and contain only lowercase letters, digits, _ and -; at most 63 characters';
      throw GoogleError.invalid(`Invalid label key ${JSON.stringify(name)}: ${rule}`);
    }
    if (!value.test(text)) {
      const rule = 'only lowercase letters, digits, _ and - are allowed; at most 63 characters';
      throw GoogleError.invalid(`Invalid label value ${JSON.stringify(text)}: ${rule}`);
    }
  }
}
