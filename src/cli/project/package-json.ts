import { basename } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { z } from 'zod';

const gateway = 'endpoint-gateway';

/** The scripts of a project. */
export const projectScripts = {
  dev: `${gateway} dev`,
  start: `${gateway} serve`,
  check: `${gateway} check`,
  test: `${gateway} test`,
  schema: `${gateway} schema --output schema.graphql`,
} as const;

/** The script that `npm init` writes. It only fails. */
const npmPlaceholder = 'echo "Error: no test specified" && exit 1';

const texts = z.record(z.string(), z.string()).default({});

/** The parts of a package.json that matter here. */
const packageJson = z.object({
  name: z.string().optional(),
  private: z.boolean().optional(),
  type: z.string().optional(),
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
  optionalDependencies: texts,
});

interface ProjectPackage {
  /** The name of the project, if it was chosen. */
  readonly name?: string | undefined;
  readonly folder: string;
  /** The version of the gateway that a project without the dependency gets. */
  readonly version: string;
}

/** Why an existing package.json can't be extended. */
export class PackageJsonError extends Error {
  override readonly name = 'PackageJsonError';
}

/**
 * The text of a project's package.json: a new one, or the given one with what it lacks. What it has stays as it is. One
 * without a name, as `npm install` makes it in an empty folder, becomes a private package of modules.
 *
 * @param text the existing file, if there is one
 * @throws PackageJsonError when the existing file isn't the JSON object that npm expects
 */
export function projectPackageJson(text: string | undefined, project: ProjectPackage): string {
  const given = text ?? '{}\n';
  const there = parsePackageJson(given);
  if (there.name === gateway)
    throw new PackageJsonError(`npm refuses a package that depends on one of its own name, ${gateway}`);
  const additions: [path: string[], value: unknown][] = [];
  if (there.name === undefined) {
    additions.push([['name'], project.name ?? nameOfFolder(project.folder)]);
    if (there.private === undefined) additions.push([['private'], true]);
    if (there.type === undefined) additions.push([['type'], 'module']);
  }
  const heads = additions.length;
  for (const [name, command] of Object.entries(projectScripts)) {
    const own = there.scripts[name];
    if (own === undefined || own === npmPlaceholder) additions.push([['scripts', name], command]);
  }
  const groups = [there.dependencies, there.devDependencies, there.optionalDependencies];
  if (!groups.some((group) => Object.hasOwn(group, gateway)))
    additions.push([['dependencies', gateway], project.version]);
  const [, indent = '  '] = /\n([ \t]+)"/.exec(given) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: '\n',
  };
  return additions.reduce((json, [path, value], index) => {
    // The name and what follows it come first, as npm writes them.
    const place = index < heads ? { getInsertionIndex: () => index } : {};
    return applyEdits(json, modify(json, path, value, { formattingOptions, ...place }));
  }, given);
}

/** The scripts of a project that a package.json has for other purposes, by their names. */
export function otherScripts(text: string): ReadonlySet<string> {
  const { scripts } = parsePackageJson(text);
  return new Set(
    Object.entries(projectScripts).flatMap(([name, own]) => (scripts[name] === own ? [] : name)),
  );
}

function parsePackageJson(text: string): z.infer<typeof packageJson> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new PackageJsonError(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = packageJson.safeParse(json);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new PackageJsonError(reasons.join('; '));
}

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
