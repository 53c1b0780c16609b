import type { CodegenConfig } from '@graphql-codegen/cli';

/** Makes typed documents of the operations in `test/client`: `npm run codegen`. */
const config: CodegenConfig = {
  schema: 'schema/gateway.graphql',
  documents: ['test/client/*.ts', '!test/client/*.test.ts'],
  emitLegacyCommonJSImports: false,
  importExtension: '.ts',
  generates: {
    'test/client/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        strictScalars: true,
        enumsAsTypes: true,
        scalars: {
          Int64: { input: 'string | number', output: 'string' },
          Numeric: 'string',
          BigNumeric: 'string',
          Bytes: 'string',
          LocalDate: 'string',
          LocalDateTime: 'string',
          LocalTime: 'string',
          DateTime: 'string',
          Interval: 'string',
          Geography: 'string',
          JSON: 'unknown',
        },
      },
    },
  },
};

export default config;
