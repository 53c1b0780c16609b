import { basename } from 'node:path';

/** The name of a package, possibly with a scope: https://docs.npmjs.com/cli/configuring-npm/package-json#name */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const maxLength = 214;

/** npm refuses a package that depends on one of its own name. */
const ownName = 'endpoint-gateway';
const reserved = ['node_modules', 'favicon.ico'];

/** Why a project can't have this name; undefined if it can. */
export function refusedName(name: string): string | undefined {
  if (name === ownName) return 'this is the name of the gateway itself, and npm needs another one';
  if (reserved.includes(name)) return 'npm refuses this name';
  if (name.length > maxLength) return `a name has at most ${maxLength} characters`;
  if (packageName.test(name)) return undefined;
  return 'expected the name of an npm package: lower-case letters, digits and - . _ ~, not starting with . or _';
}

/** A name for the project in a folder: that of the folder, as far as npm allows it. */
export function nameOfFolder(folder: string): string {
  const name = basename(folder)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._~-]+|[-.]+$/g, '')
    .slice(0, maxLength);
  return name === '' || refusedName(name) !== undefined ? 'endpoints' : name;
}
