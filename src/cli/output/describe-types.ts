import { describeRules, parameterNotes } from '../../definitions/endpoints/parameters/describe-parameter.ts';
import type { EndpointParameter } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { columnNames } from '../../sql/values/column-names.ts';
import { type Column, formatType } from '../../sql/values/type.ts';

/** A parameter of an endpoint, as commands print it. */
export interface DescribedParameter {
  readonly name: string;
  /** In GoogleSQL. */
  readonly type: string;
  readonly required: boolean;
  readonly values?: readonly string[];
  readonly default?: string | readonly string[];
  /** Its further rules in words. */
  readonly rules: readonly string[];
  readonly description?: string;
}

/** A column of a result, as commands print it. */
export interface DescribedColumn {
  readonly name: string;
  /** In GoogleSQL. */
  readonly type: string;
}

export function describeParameters(parameters: readonly EndpointParameter[]): DescribedParameter[] {
  return parameters.map((parameter) => ({
    name: parameter.name,
    type: formatType(parameter.type),
    required: parameter.required,
    ...(parameter.values && { values: parameter.values }),
    ...(parameter.default !== undefined && { default: parameter.default }),
    rules: describeRules(parameter),
    ...(parameter.description !== undefined && { description: parameter.description }),
  }));
}

export function describeColumns(columns: readonly Column[]): DescribedColumn[] {
  const names = columnNames(columns);
  return columns.map(({ type }, index) => ({ name: names[index] ?? '', type: formatType(type) }));
}

export function parameterLine({ name, type, ...parameter }: DescribedParameter): string {
  return `parameter ${name} ${type} (${parameterNotes(parameter)})`;
}

export function columnLine({ name, type }: DescribedColumn): string {
  return `column ${name} ${type}`;
}
