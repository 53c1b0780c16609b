import { createHash } from 'node:crypto';
import { tokens } from './lexer.ts';

/**
 * Identifies the shape of a query: texts have the same one if they differ only in their literals, the names of their parameters, white
 * space, comments, and the letter case of words.
 */
export function queryShape(sql: string): string {
  const hash = createHash('sha256');
  for (const { kind, text } of tokens(sql))
    hash.update(kind === 'literal' || kind === 'parameter' ? '?\n' : `${text}\n`);
  return hash.digest('base64url');
}
