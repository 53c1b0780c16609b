import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
const environment = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/** A bare repository on this machine, with a work tree that is pushed to it. */
export class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'repo-'));
  readonly bare = join(this.folder, 'bare.git');
  readonly tree = join(this.folder, 'tree');

  constructor() {
    this.git('init', '--quiet', '--bare', '--initial-branch=main', this.bare);
    this.git('init', '--quiet', '--initial-branch=main', this.tree);
  }

  /** Its URL, for ENDPOINTS_FROM. */
  get url(): string {
    return `git+file://${this.bare}`;
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', [...author, ...args], { env: environment, stdio: 'pipe' })
      .toString()
      .trim();
  }

  inTree(...args: readonly string[]): string {
    return this.git('-C', this.tree, ...args);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.tree, path)), { recursive: true });
      writeFileSync(join(this.tree, path), text);
    }
  }

  /** Commits these files beside those that are there, and pushes. Returns the commit. */
  push(files: Readonly<Record<string, string>> = {}): string {
    this.write(files);
    this.inTree('add', '--all');
    this.inTree('commit', '--quiet', '--allow-empty', '--message=change');
    this.inTree('push', '--quiet', this.bare, 'HEAD:main');
    return this.inTree('rev-parse', 'HEAD');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
