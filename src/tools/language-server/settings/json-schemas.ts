import { z } from 'zod';
import { boardFile } from '../../../definitions/boards/board-file.ts';
import { endpointSettings } from '../../../definitions/endpoints/settings.ts';
import { sourceFile, tableSchema } from '../../../definitions/sources/source-file.ts';
import { testFileSchema } from '../../endpoint-tests/cases/test-file.ts';

/** A part of a JSON Schema, as far as this program reads it. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

const parsers = {
  'endpoint-settings': {
    title: 'Settings of an endpoint: YAML in the first comment of its file',
    parser: endpointSettings,
  },
  source: {
    title: "A source: the schema of its table in BigQuery's format, with settings or without",
    parser: z.union([tableSchema, sourceFile]),
  },
  board: { title: 'A board of the console: boards/X.yaml', parser: boardFile },
  'test-file': { title: 'Tests of an endpoint: X.test.yaml beside X.sql', parser: testFileSchema },
} as const;

/** The kinds of files that have a schema. */
export type SchemaName = keyof typeof parsers;

export const schemaNames = Object.keys(parsers) as readonly SchemaName[];

/**
 * The JSON Schema (draft 2020-12) of what an author may write, from the parser that reads it. Rules that concern several
 * keys are not part of it: `check` reports their errors.
 */
export function jsonSchema(name: SchemaName): JsonSchema {
  const { title, parser } = parsers[name];
  const schema = z.toJSONSchema(parser, { io: 'input' });
  // Its form is JSON Schema's.
  const { $schema, ...rest } = schema as JsonSchema;
  return { ...($schema !== undefined && { $schema }), title, ...rest };
}

/** The JSON Schema as the text of its file in `schema/json`. */
export function jsonSchemaText(name: SchemaName): string {
  return `${JSON.stringify(jsonSchema(name), null, 2)}\n`;
}
