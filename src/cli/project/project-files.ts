import type { ProjectFile } from './project-file.ts';
import { envExample } from './templates/env-example.ts';
import { firstEndpoint } from './templates/first-endpoint.ts';
import { firstFixture } from './templates/first-fixture.ts';
import { firstSource } from './templates/first-source.ts';
import { firstTest } from './templates/first-test.ts';
import { gitignore } from './templates/gitignore.ts';
import { readme } from './templates/readme.ts';
import { workflow } from './templates/workflow.ts';

/** The first endpoint with its test, and the source and the rows that these read. They belong together. */
export function firstFiles(endpointId: string): readonly ProjectFile[] {
  const endpoint = { path: firstEndpoint.path, text: firstEndpoint.text(endpointId) };
  return [endpoint, firstTest, firstSource, firstFixture];
}

/** What surrounds the endpoints of a project. */
export function surroundingFiles(name: string): readonly ProjectFile[] {
  return [envExample, gitignore, { path: readme.path, text: readme.text(name) }, workflow];
}
