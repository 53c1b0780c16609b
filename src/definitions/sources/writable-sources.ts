import { GatewayError } from '../../base/errors/errors.ts';
import { isOwnSource, type Source, sourceByName, unknownSource } from './source.ts';

/**
 * The sources whose rows a caller may add and delete, each by its name, an alias, or what it was called before. `all` are all that
 * people declare; `own` are the gateway's own, to which only itself writes.
 */
export type WritableSources = 'all' | 'own' | readonly string[];

type Named = Pick<Source, 'name' | 'aliases' | 'was'>;

/** Why a caller can't write to what it names. A restricted caller doesn't learn which other sources exist. */
export class WriteRefusal {
  readonly #named: string;
  readonly #isUnknown: boolean;
  readonly #isNobodys: boolean;
  /** `source` if there is none of that name: its file may have errors. */
  readonly cause: 'source' | 'forbidden';

  constructor(
    named: string,
    cause: WriteRefusal['cause'],
    { isUnknown = false, isNobodys = false }: { readonly isUnknown?: boolean; readonly isNobodys?: boolean },
  ) {
    this.#named = named;
    this.cause = cause;
    this.#isUnknown = isUnknown;
    this.#isNobodys = isNobodys;
  }

  /** Within a sentence. */
  reason(shown: string): string {
    if (this.#isUnknown) return `there is no source named ${shown}`;
    return this.#isNobodys
      ? `nobody may add rows to the source ${shown}, or delete them: the gateway itself does`
      : `this key may not write to the source ${shown}`;
  }

  get error(): GatewayError {
    if (this.#isUnknown) return unknownSource(this.#named);
    const reason = this.reason(JSON.stringify(this.#named));
    const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
    return new GatewayError(
      'FORBIDDEN',
      message,
      this.cause === 'source' ? { unknownSource: this.#named } : {},
    );
  }
}

/** The source to which a caller writes, by its name or alias, or why it can't. All ways in which rows are changed find theirs here. */
export function findWritable<S extends Named>(
  sources: readonly S[],
  named: string,
  writable: WritableSources,
): S | WriteRefusal {
  const source = sourceByName(sources, named);
  if (source === undefined)
    return new WriteRefusal(named, 'source', {
      isUnknown: writable === 'all' || writable.includes(named),
    });
  const isAllowed = isOwnSource(source)
    ? writable === 'own'
    : writable === 'all' || (writable !== 'own' && writable.some((name) => known(sources, name) === source));
  // A restricted caller doesn't learn what there is.
  const isNobodys = isOwnSource(source) && writable === 'all';
  return isAllowed ? source : new WriteRefusal(named, 'forbidden', { isNobodys });
}

/**
 * As {@link findWritable}.
 *
 * @throws GatewayError NOT_FOUND, FORBIDDEN
 */
export function writableSource<S extends Named>(
  sources: readonly S[],
  named: string,
  writable: WritableSources = 'all',
): S {
  const found = findWritable(sources, named, writable);
  if (found instanceof WriteRefusal) throw found.error;
  return found;
}

/** The source that a key's restriction names. A renamed source keeps the keys of its former name, unless another one has it. */
function known<S extends Named>(sources: readonly S[], name: string): S | undefined {
  return sourceByName(sources, name) ?? sources.find(({ was }) => was === name);
}
