import { randomUUID } from 'node:crypto';
import { lstat, open, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../base/system/make-folder.ts';
import { syncFile } from '../../base/system/replace-file.ts';
import type { FetchedVersion } from './tree/remote.ts';

/** After this time, what has a temporary name is of a killed process, in milliseconds. Gateways may share the folder. */
const leftAfterMs = 3_600_000;

/**
 * The versions of an origin in the data folder: each in a folder of its own, and a link `current` to the one in use, so that files
 * have the same paths in all versions. A crash at any time leaves a whole version in use.
 */
export class KeptVersions {
  /** Where all is. */
  readonly folder: string;
  readonly #link: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#link = join(folder, 'current');
  }

  /** The version in use. Undefined if there is none yet. */
  async current(): Promise<string | undefined> {
    const target = await readlink(this.#link).catch(() => undefined);
    return target === undefined ? undefined : versionOf(basename(target));
  }

  /**
   * Writes the files of a version, durably, apart from the version in use.
   *
   * @returns its folder
   */
  async add({ version, files }: FetchedVersion): Promise<string> {
    const final = join(this.folder, nameOf(version));
    const folder = join(this.folder, `.new-${randomUUID()}`);
    await makeFolder(folder, 0o700);
    const folders = new Set([folder]);
    for (const { path, bytes } of files) {
      const place = join(folder, path);
      if (!folders.has(dirname(place))) await makeFolder(dirname(place), 0o700);
      folders.add(dirname(place));
      await using file = await open(place, 'wx', 0o600);
      await file.writeFile(bytes);
      await file.sync();
    }
    for (const each of folders) await syncFile(each);
    // One that is not in use may be left of a process that was killed, or have been refused earlier.
    if ((await this.current()) !== version) await rm(final, { recursive: true, force: true });
    await rename(folder, final).catch(async (error) => {
      await rm(folder, { recursive: true, force: true });
      // Another gateway with the same data folder has it in use.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    return final;
  }

  /** Makes a version that was added the one in use, in one step. Undefined takes the link away. */
  async use(version: string | undefined): Promise<void> {
    if (version === undefined) {
      await rm(this.#link, { force: true });
      return;
    }
    const next = join(this.folder, `.link-${randomUUID()}`);
    await symlink(nameOf(version), next);
    await rename(next, this.#link);
    await syncFile(this.folder);
  }

  /** Removes a version that is not to be used. */
  async remove(version: string): Promise<void> {
    await rm(join(this.folder, nameOf(version)), { recursive: true, force: true });
  }

  /**
   * Removes all but these versions: older ones, and what killed processes have left.
   *
   * @param now milliseconds since the epoch
   */
  async retain(versions: readonly string[], now: number): Promise<void> {
    const kept = new Set(['current', ...versions.map(nameOf)]);
    for (const name of await readdir(this.folder).catch(() => [])) {
      const path = join(this.folder, name);
      const isInUse = name.startsWith('.') && now - ((await lstat(path)).mtimeMs || 0) < leftAfterMs;
      if (!kept.has(name) && !isInUse) await rm(path, { recursive: true, force: true });
    }
  }
}

/** A version as the name of a folder. */
function nameOf(version: string): string {
  return version.replace(':', '-');
}

function versionOf(name: string): string {
  return name.replace('-', ':');
}
