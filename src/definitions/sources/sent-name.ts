import { createHash } from 'node:crypto';
import { NamesInGraphql } from './names-in-graphql.ts';
import { isReservedColumn } from './pseudo-columns.ts';
import { isColumnName } from './table-field.ts';

/** A field as it is in a source. */
interface NamedField {
  readonly name: string;
  readonly description?: string | undefined;
}

const sentAs = /^Sent as ("(?:[^"\\]|\\.)*")\.$/s;

/** The name that a field has in arriving events: its own, unless its description says another one. */
export function sentName({ name, description = '' }: NamedField): string {
  const [, text] = sentAs.exec(description) ?? [];
  if (text === undefined) return name;
  try {
    return JSON.parse(text);
  } catch {
    return name;
  }
}

/** The other names that a field may have in arriving rows: the one that it is sent with, and the former one. */
export function otherNames({ was, ...field }: NamedField & { readonly was?: string | undefined }): string[] {
  return [was, sentName(field)].filter((name) => name !== undefined && name !== field.name) as string[];
}

/** The description of a field that has another name in arriving events. */
export function sentDescription(name: string): string {
  return `Sent as ${JSON.stringify(name)}.`;
}

/** Characters of a plain name that are kept before the digits. */
const maxLength = 100;

/** Signs that the name of a column can't have. */
const others = /[^\p{L}\p{N}\p{M}\p{Pc}\p{Pd}&%=+:'<>#| ]/gu;

/** Letters and digits that a name in GraphQL can't have, and marks. */
const notAscii = /[^\w\p{Pd}&%=+:'<>#| ]/gu;

/** A name in which every sign that a column's name can't have is `_`: `http.request.method` is `http_request_method`. */
export function plainName(name: string): string {
  return name.replace(others, '_') || '_';
}

/** The plain name with digits of the name's digest, which keep apart names whose plain ones are the same. */
export function apartName(name: string, plain = plainName(name), digits = 6): string {
  // Halves of surrogate pairs would be equal in UTF-8.
  const bytes = name.isWellFormed() ? name : Buffer.from(name, 'utf16le');
  const digest = createHash('sha256').update(bytes).digest('hex');
  return `${plain.slice(0, maxLength).toWellFormed()}_${digest.slice(0, digits)}`;
}

/** Gives the new fields of a record names that BigQuery, the store and GraphQL can have, and that no other field has. */
export class FieldNames {
  readonly #isTop: boolean;
  readonly #inGraphql: NamesInGraphql;
  readonly #taken: Set<string>;

  /**
   * @param taken the names of the record's present fields
   * @param isTop whether the fields are columns
   */
  constructor(taken: readonly string[], isTop: boolean) {
    this.#isTop = isTop;
    this.#inGraphql = new NamesInGraphql(taken);
    this.#taken = new Set(taken.map((name) => name.toLowerCase()));
  }

  /**
   * The fields' names by those that they were sent with. Neither the order of these nor that of the events counts: names
   * that can stay do so before others get theirs.
   */
  assign(sent: readonly string[]): ReadonlyMap<string, string> {
    const ordered = [...sent].sort(
      (a, b) => Number(this.#isFree(b)) - Number(this.#isFree(a)) || compare(a, b),
    );
    return new Map(ordered.map((name) => [name, this.#assign(name)]));
  }

  #assign(sent: string): string {
    const candidates = this.#candidates(sent);
    let name = candidates.find((each) => this.#isFree(each));
    for (let number = 2; name === undefined; number++) {
      const numbered = `${candidates.at(-1)}_${number}`;
      if (this.#isFree(numbered)) name = numbered;
    }
    this.#taken.add(name.toLowerCase());
    this.#inGraphql.take(name);
    return name;
  }

  #candidates(sent: string): string[] {
    const plain = plainName(sent);
    const ascii = plain.replace(notAscii, '_');
    const free = this.#isTop && isReserved(ascii) ? `_${ascii}` : ascii;
    return [plain, free, ...[6, 12].map((digits) => apartName(sent, free, digits))];
  }

  #isFree(name: string): boolean {
    if (!isColumnName(name) || (this.#isTop && isReserved(name))) return false;
    return !this.#taken.has(name.toLowerCase()) && this.#inGraphql.fault(name) === undefined;
  }
}

/** Names that BigQuery reserves, and the one that DuckDB does. */
function isReserved(name: string): boolean {
  return isReservedColumn(name) || name.toLowerCase() === 'rowid';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
