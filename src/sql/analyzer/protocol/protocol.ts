import path from 'node:path';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/google/protobuf/descriptor.json' with { type: 'json' };
import { analyzerFolder } from './binary.ts';
import { SharedTypes } from './shared-types.ts';

/** The calls of the analyzer's service that the gateway uses. */
export type AnalyzerMethod =
  | 'analyze'
  | 'parse'
  | 'registerCatalog'
  | 'evaluateQuery'
  | 'getBuiltinFunctions';

interface MessageTypes {
  /** The call's HTTP/2 path. */
  readonly path: string;
  readonly encode: (request: object) => Buffer;
  readonly decode: (bytes: Buffer) => unknown;
}

/**
 * protobufjs stops at 100 nested messages, about 22 nested expressions (measured). The gateway itself limits the
 * nesting of a query.
 */
const recursionLimit = 100_000;

/** Enumerations by name; integers as text, because they have 64 bits; absent fields stay absent. */
const objectForm: protobuf.IConversionOptions = { enums: String, longs: String, oneofs: true };

let service: protobuf.Service | undefined;
let sharedTypes: SharedTypes | undefined;
const types = new Map<AnalyzerMethod, MessageTypes>();

/** Reads the protocol definitions once, which takes more than a tenth of a second. */
export function loadProtocol(): protobuf.Service {
  service ??= readProtocol();
  return service;
}

/** Serialises and parses the messages of a call. */
export function messageTypes(method: AnalyzerMethod): MessageTypes {
  let known = types.get(method);
  if (known === undefined) {
    known = typesOf(loadProtocol(), method);
    types.set(method, known);
  }
  return known;
}

function readProtocol(): protobuf.Service {
  const limits = protobuf as unknown as {
    util: { recursionLimit: number };
    Reader: { recursionLimit: number };
  };
  limits.util.recursionLimit = recursionLimit;
  limits.Reader.recursionLimit = recursionLimit;
  const folder = path.join(analyzerFolder(), 'protos');
  const root = new protobuf.Root();
  // protobufjs includes Google's own definitions, but this one must be added.
  protobuf.common('descriptor', descriptor.nested.google.nested);
  root.resolvePath = (_origin, target) =>
    target.startsWith('google/protobuf/') ? target : path.join(folder, target);
  // Types are resolved on first use: resolving all of the roughly thousand types takes as long as reading them, and few
  // are needed.
  root.resolveAll = () => root;
  // gRPC's loadPackageDefinition would describe each of them again.
  return root
    .loadSync('local_service.proto', { keepCase: true })
    .lookupService('zetasql.local_service.ZetaSqlLocalService');
}

function typesOf(definition: protobuf.Service, method: AnalyzerMethod): MessageTypes {
  const name = `${method.charAt(0).toUpperCase()}${method.slice(1)}`;
  const { requestType, responseType } = definition.methods[name] ?? {};
  if (requestType === undefined || responseType === undefined) throw new Error(`The analyzer has no ${name}`);
  const request = definition.lookupType(requestType);
  const response = definition.lookupType(responseType);
  sharedTypes ??= new SharedTypes(definition.root.lookupType('zetasql.TypeProto'));
  const shared = sharedTypes;
  return {
    path: `/zetasql.local_service.ZetaSqlLocalService/${name}`,
    encode: (message) => Buffer.from(request.encode(request.fromObject(message)).finish()),
    decode: (bytes) => shared.within(() => response.toObject(response.decode(bytes), objectForm)),
  };
}
