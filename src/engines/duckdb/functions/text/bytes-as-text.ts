import type { SqlType } from '../../../../sql/values/type.ts';
import type { Value } from '../../../../sql/values/value.ts';
import { fixed } from '../../dialect/constant.ts';
import { typedSql } from '../../dialect/duck-type.ts';
import { type Expression, finished } from '../../dialect/expression.ts';
import { literalSql } from '../../dialect/literal.ts';
import { latinBytes, latinText } from '../../udf/text/latin.ts';
import type { FunctionEntry } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';

const text: SqlType = { kind: 'STRING' };

/**
 * Extends the entry of a text function to BYTES: each byte becomes a character, and the result's characters become
 * bytes again. Constants stay constant, because patterns are read when the SQL is emitted.
 */
export function orBytes(entry: FunctionEntry): FunctionEntry {
  const emit = (call: FunctionCall) => {
    if (!call.types.some(({ kind }) => kind === 'BYTES')) return entry.emit(call);
    const type = ofText(call.type);
    const inner = call.with(call.all().map(asText), type);
    const result = entry.emit(inner);
    inner.assertRead();
    const sql = typeof result === 'string' ? result : finished(result).sql;
    return type === call.type ? sql : asBytes(sql, call.type);
  };
  return { ...entry, emit };
}

function ofText(type: SqlType): SqlType {
  if (type.kind === 'BYTES') return text;
  return type.kind === 'ARRAY' && type.element.kind === 'BYTES' ? { kind: 'ARRAY', element: text } : type;
}

function asText(argument: Expression): Expression {
  const { type, constant, sql } = argument;
  if (type.kind === 'BYTES') {
    const known = constantText(constant?.value);
    const written = known === undefined ? typedSql(latinText.call([sql]), text) : literalSql(text, known);
    return {
      ...argument,
      type: text,
      constant: known === undefined ? undefined : fixed(known),
      sql: written,
      weight: argument.weight + 1,
    };
  }
  if (type.kind === 'ARRAY' && type.element.kind === 'BYTES') {
    const list = `list_transform(${sql}, lambda latin: ${latinText.call(['latin'])})`;
    return { ...argument, type: ofText(type), constant: undefined, sql: list };
  }
  return argument;
}

/** The constants of BYTES are base64. */
function constantText(value: Value | undefined): Value | undefined {
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('latin1') : value;
}

function asBytes(sql: string, type: SqlType): string {
  return type.kind === 'ARRAY'
    ? `list_transform(${sql}, lambda latin: ${latinBytes.call(['latin'])})`
    : typedSql(latinBytes.call([sql]), type);
}
