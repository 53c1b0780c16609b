import { createHash } from 'node:crypto';

/** Projects in the benchmark's store: a few busy ones and very many quiet ones. */
export const projectCount = 1000;

const letters = 'ghijklmnop';

/** The reference of a project: twenty letters, determined by its number. Number 0 has about a tenth of all rows. */
export function projectRef(number: number): string {
  const digest = createHash('md5').update(String(number)).digest('hex');
  return digest.slice(0, 20).replace(/\d/g, (digit) => letters.charAt(Number(digit)));
}

/** The same in DuckDB's SQL, for a SQL expression of the number. */
export function projectRefSql(number: string): string {
  return `translate(substr(md5((${number})::VARCHAR), 1, 20), '0123456789', '${letters}')`;
}
