import SchemaBuilder from '@pothos/core';
import type { Row } from '../../../sql/values/value.ts';
import type { GraphqlContext } from '../execution/context.ts';
import { type CustomScalarName, customScalar, customScalarNames } from './scalars.ts';

interface BuilderTypes {
  DefaultFieldNullability: false;
  Context: GraphqlContext;
  Scalars: Record<CustomScalarName, { Input: string; Output: unknown }>;
}

export type Builder = PothosSchemaTypes.SchemaBuilder<PothosSchemaTypes.ExtendDefaultTypes<BuilderTypes>>;

/** A builder that knows the scalars. */
export function createBuilder(): Builder {
  const builder: Builder = new SchemaBuilder<BuilderTypes>({ defaultFieldNullability: false });
  for (const name of customScalarNames) builder.addScalarType(name, customScalar(name));
  return builder;
}

/** An object type of rows or records. Their values stay arrays by position. */
export type RecordType = ReturnType<typeof recordType>;

export const recordType = (builder: Builder, name: string) => builder.objectRef<Row>(name);
