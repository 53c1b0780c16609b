import { positionAt } from '../../base/errors/problem.ts';
import { counted } from '../../base/text/counted.ts';
import type { SandboxLimits } from './limits.ts';
import { badInput } from './refusal.ts';
import { textSize } from './text-size.ts';

/**
 * Refuses a text that is too large or not valid Unicode, before it reaches the analyzer.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function checkText(sql: string, limits: SandboxLimits): void {
  const { maxBytes, maxNesting, maxDepth, maxJoins, maxSelects } = limits;
  const bytes = sql.length > maxBytes ? Number.POSITIVE_INFINITY : Buffer.byteLength(sql);
  if (bytes > maxBytes) {
    throw badInput(`The query is longer than ${counted(maxBytes, 'byte')}`);
  }
  const nul = sql.indexOf('\0');
  if (nul >= 0) throw badInput('A query cannot contain NUL characters', positionAt(sql, nul));
  if (!sql.isWellFormed()) {
    const lone = /\p{Surrogate}/u.exec(sql)?.index ?? 0;
    throw badInput('The query is not valid Unicode text', positionAt(sql, lone));
  }
  const { nesting, depth, joins, selects } = textSize(sql);
  if (nesting > maxNesting || depth > maxDepth) {
    throw badInput(`The query is nested too deeply: at most ${maxNesting} levels are allowed`);
  }
  if (joins > maxJoins) {
    throw badInput(`The query has too many joins: at most ${maxJoins} are allowed in a FROM clause`);
  }
  if (selects > maxSelects) {
    throw badInput(`The query has too many SELECTs: at most ${maxSelects} are allowed`);
  }
}
