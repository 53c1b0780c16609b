import pLimit from 'p-limit';
import { CommandError } from '../../base/errors/command-error.ts';
import { formatProblem, type Problem } from '../../base/errors/problem.ts';
import type { Clock } from '../../base/system/clock.ts';
import { makeFolder } from '../../base/system/make-folder.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { OriginState } from '../../definitions/origin/origin-state.ts';
import type { FilesSwap } from '../reload/schema-reloader.ts';
import { KeptVersions } from './kept-versions.ts';
import { OriginError } from './tree/origin-error.ts';
import type { BranchChange, PushedChange, Remote } from './tree/remote.ts';

interface FetchedEndpointsParts {
  /** ENDPOINTS_FROM, without secrets. */
  readonly from: string;
  readonly remote: Remote;
  /** Where versions are kept. */
  readonly folder: string;
  /** All errors in a version, which is in this folder. */
  readonly check: (folder: string) => Promise<readonly Problem[]>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Time limit of a fetch, in milliseconds. At a start that has a kept version, callers wait for it. */
const fetchMs = { usual: 120_000, atStart: 15_000 };
/** Pushes at the same time. Each has a copy of the repository's files. */
const maxPushes = 4;
/** The most errors that the log shows of a version. */
const shownProblems = 10;

/**
 * The endpoints and sources of an origin: fetches and checks versions, and puts one in place of another. A version that has
 * errors, or that can't be fetched, changes nothing.
 */
export class FetchedEndpoints {
  readonly #parts: FetchedEndpointsParts;
  readonly #kept: KeptVersions;
  readonly #limit = pLimit(1);
  readonly #pushLimit = pLimit(maxPushes);
  readonly #pushes = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #version = '';
  #confirmedAt: number | undefined;
  #failure: OriginState['failure'];
  /** The checked version that is to be used next. */
  #next: string | undefined;
  /** The version that was found to have errors, with them. */
  #refused: { readonly version: string; readonly text: string } | undefined;

  private constructor(parts: FetchedEndpointsParts) {
    this.#parts = parts;
    this.#kept = new KeptVersions(parts.folder);
  }

  /**
   * Fetches the latest version, and puts it in use. If there is none that can be used, that of earlier stays in use.
   *
   * @throws CommandError if there is none
   */
  static async open(parts: FetchedEndpointsParts): Promise<FetchedEndpoints> {
    const fetched = new FetchedEndpoints(parts);
    await makeFolder(parts.folder, 0o700);
    const kept = await fetched.#kept.current();
    fetched.#version = kept ?? '';
    await fetched.#look(kept === undefined ? fetchMs.usual : fetchMs.atStart);
    await (await fetched.swap())?.confirm();
    const { failure } = fetched.state;
    if (fetched.#version === kept && failure === undefined)
      parts.log.info('Endpoints fetched earlier are the latest', fetched.#fields(kept));
    if (fetched.#version === '')
      throw new CommandError(`ENDPOINTS_FROM: ${failure?.text ?? 'there is no version'}`);
    if (failure !== undefined)
      parts.log.warn('Endpoints of an earlier start are served', fetched.#fields(fetched.#version));
    return fetched;
  }

  get state(): OriginState {
    return {
      from: this.#parts.from,
      version: this.#version,
      confirmedAt: this.#confirmedAt,
      failure: this.#failure,
    };
  }

  /**
   * Looks for another version than that which is served, fetches and checks it.
   *
   * @param again whether one that was refused is examined again
   * @returns whether there is one to swap
   */
  look(again: boolean): Promise<boolean> {
    return this.#limit(() => {
      if (again) this.#refused = undefined;
      return this.#look(fetchMs.usual);
    });
  }

  /** Puts the version that was found in place of the one in use, in one step. Undefined if none was found. */
  async swap(): Promise<FilesSwap | undefined> {
    const next = this.#next;
    this.#next = undefined;
    if (next === undefined || next === this.#version) return undefined;
    const before = this.#version;
    await this.#kept.use(next);
    return {
      confirm: async () => {
        this.#version = next;
        this.#parts.log.info('Endpoints fetched', this.#fields(next));
        await this.#kept.retain([before, next], this.#parts.clock.now());
      },
      undo: async () => {
        await this.#kept.use(before || undefined);
        this.#failed(new OriginError('unusable', `the version ${next} could not be loaded`));
      },
    };
  }

  /**
   * Puts a change on a new branch of the origin, on top of the version that is served. What is served stays as it is.
   *
   * @throws as the remote's `push`
   */
  async push(change: BranchChange, signal: AbortSignal): Promise<PushedChange> {
    const { remote } = this.#parts;
    const either = AbortSignal.any([this.#closing.signal, signal]);
    const pushed = this.#pushLimit(() => {
      either.throwIfAborted();
      if (remote.push === undefined) throw new OriginError('unusable', 'a tarball has no branches');
      return remote.push(change, this.#version, either);
    });
    this.#pushes.add(pushed);
    try {
      return await pushed;
    } finally {
      this.#pushes.delete(pushed);
    }
  }

  /** Stops fetching and pushing. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#pushes);
    await this.#limit(() => {});
  }

  /** Never rejects. */
  async #look(timeoutMs: number): Promise<boolean> {
    const { remote, check, clock } = this.#parts;
    if (this.#closing.signal.aborted) return false;
    const known = this.#next ?? this.#refused?.version ?? (this.#version || undefined);
    try {
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]);
      const latest = await remote.latest(known, signal);
      if (latest === undefined) return this.#unchanged(clock.now());
      this.#refused = undefined;
      if (latest.version === this.#version) return this.#unchanged(clock.now());
      const folder = await this.#kept.add(latest);
      const problems = await check(folder);
      if (problems.length > 0) {
        await this.#kept.remove(latest.version);
        const text = `the version ${latest.version} has errors:\n${listed(problems)}`;
        this.#refused = { version: latest.version, text };
        throw new OriginError('unusable', text);
      }
      this.#next = latest.version;
      this.#succeeded(clock.now());
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** The latest version is the known one. */
  #unchanged(now: number): boolean {
    if (this.#refused === undefined) this.#succeeded(now);
    else this.#failed(new OriginError('unusable', this.#refused.text));
    return this.#next !== undefined;
  }

  #succeeded(now: number): void {
    if (this.#failure !== undefined) this.#parts.log.info('ENDPOINTS_FROM can be used again');
    this.#failure = undefined;
    this.#confirmedAt = now;
  }

  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const kind = error instanceof OriginError ? error.failure : 'unreachable';
    const text = error instanceof Error ? error.message : String(error);
    const isNew = this.#failure?.text !== text;
    this.#failure = { kind, text };
    if (!isNew) return;
    const served = this.#version === '' ? {} : this.#fields(this.#version);
    this.#parts.log.error('Endpoints could not be fetched', { ...served, reason: text });
  }

  #fields(version: string) {
    return { from: this.#parts.from, version };
  }
}

function listed(problems: readonly Problem[]): string {
  const rest = problems.length - shownProblems;
  const shown = problems.slice(0, shownProblems).map(formatProblem);
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
