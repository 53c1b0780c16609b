import { GoogleError } from './google-error.ts';
import type { FieldType, Message } from './message.ts';

/**
 * Checks a JSON value against a message as Google's servers parse JSON into protocol buffers: an unknown field, or a
 * value of another type, is refused with their wording. Null means an absent field. Google also accepts names in
 * snake_case, which none of its clients send; they are refused here.
 *
 * @param path the location of the message, such as `job.configuration`
 * @throws GoogleError badRequest
 */
export function checkMessage(value: unknown, definition: Message, path: string): void {
  if (!isObject(value)) {
    const start = Array.isArray(value) ? 'Proto field is not repeating, cannot start list.' : '';
    throw start === '' ? invalid(path, `(${path})`, value) : unknownName(path, start);
  }
  for (const [name, field] of Object.entries(value)) {
    const type = Object.hasOwn(definition, name) ? definition[name] : undefined;
    if (type === undefined) throw unknownName(name, 'Cannot find field.', path);
    if (field !== null) checkField(field, type, `${path}.${snakeCase(name)}`, path);
  }
}

function checkField(value: unknown, type: FieldType, path: string, parent: string): void {
  if (typeof type === 'string') {
    checkScalar(value, type, path);
    return;
  }
  if ('list' in type) {
    if (!Array.isArray(value)) throw invalid(path, '(LIST)', value);
    for (const [index, element] of value.entries()) {
      checkField(element, type.list, `${path}[${index}]`, parent);
    }
    return;
  }
  if (Array.isArray(value)) {
    throw unknownName(
      path.slice(parent.length + 1),
      'Proto field is not repeating, cannot start list.',
      parent,
    );
  }
  if ('enumOf' in type) {
    if (typeof value !== 'string' || !type.enumOf.includes(value)) throw invalid(path, '(ENUM)', value);
  } else if ('map' in type) {
    if (!isObject(value)) throw invalid(path, '(MAP)', value);
    for (const [index, [, element]] of Object.entries(value).entries()) {
      checkField(element, type.map, `${path}[${index}].value`, parent);
    }
  } else {
    checkMessage(value, type.message(), path);
  }
}

type Scalar = Extract<FieldType, string>;

const typeNames: Readonly<Partial<Record<Scalar, string>>> = {
  string: '(TYPE_STRING)',
  stringValue: '(type.googleapis.com/google.protobuf.StringValue)',
  parameterText: '(type.googleapis.com/google.protobuf.StringValue)',
  bool: '(TYPE_BOOL)',
  boolValue: '(type.googleapis.com/google.protobuf.BoolValue)',
  int32: '(TYPE_INT32)',
  uint32Value: '(type.googleapis.com/google.protobuf.UInt32Value)',
  int64: '(TYPE_INT64)',
  int64Value: '(type.googleapis.com/google.protobuf.Int64Value)',
};

function checkScalar(value: unknown, type: Scalar, path: string): void {
  if (type === 'output') return;
  if (type === 'elsewhere') {
    throw new GoogleError({ reason: 'notImplemented', message: `This server does not have ${path}` });
  }
  if (type === 'struct') {
    if (!isObject(value)) throw invalid(path, '(type.googleapis.com/google.protobuf.Struct)', value);
    return;
  }
  if (!isScalar(value, type)) throw invalid(path, typeNames[type] ?? '', value);
}

function isScalar(value: unknown, type: Scalar): boolean {
  switch (type) {
    case 'string':
    case 'stringValue':
      return typeof value === 'string';
    case 'parameterText':
      return ['string', 'number', 'boolean'].includes(typeof value);
    case 'bool':
    case 'boolValue':
      return typeof value === 'boolean';
    case 'int32':
      return isWhole(value, -(2n ** 31n), 2n ** 31n - 1n);
    case 'uint32Value':
      return isWhole(value, 0n, 2n ** 32n - 1n);
    default:
      return isWhole(value, -(2n ** 63n), 2n ** 63n - 1n);
  }
}

/** Whole numbers may be texts, too. */
function isWhole(value: unknown, min: bigint, max: bigint): boolean {
  if (typeof value === 'number' ? !Number.isSafeInteger(value) : !/^-?\d{1,19}$/.test(String(value)))
    return false;
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const number = BigInt(value);
  return number >= min && number <= max;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function unknownName(name: string, reason: string, path = ''): GoogleError {
  const place = path === '' ? '' : ` at '${path}'`;
  return GoogleError.badRequest(
    path,
    `Invalid JSON payload received. Unknown name "${name}"${place}: ${reason}`,
  );
}

function invalid(path: string, type: string, value: unknown): GoogleError {
  const shown = typeof value === 'object' ? 'Starting an object on a scalar field' : JSON.stringify(value);
  return GoogleError.badRequest(path, `Invalid value at '${path}' ${type}, ${shown}`);
}
