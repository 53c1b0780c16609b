import { createRequire } from 'node:module';
import path from 'node:path';
import { type Client, credentials, loadPackageDefinition, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { analyzerFolder } from './binary.ts';

/** The calls of the analyzer's service that the gateway makes. */
export type AnalyzerMethod = 'analyze' | 'parse' | 'registerCatalog' | 'unregisterCatalog' | 'evaluateQuery';

type ServiceClient = Client &
  Record<
    AnalyzerMethod,
    (
      request: object,
      options: { deadline: number },
      callback: (error: ServiceError | null, answer: unknown) => void,
    ) => void
  >;

type ServiceConstructor = new (
  address: string,
  channel: ReturnType<typeof credentials.createInsecure>,
  options: object,
) => ServiceClient;

/**
 * protobufjs stops at 100 nested messages, which is about 22 nested expressions (measured). The gateway caps
 * the nesting of a query itself.
 */
const recursionLimit = 100_000;

let service: ServiceConstructor | undefined;

/** Reads the protocol definitions once; that takes about a quarter of a second. */
export function loadService(): ServiceConstructor {
  service ??= readService();
  return service;
}

function readService(): ServiceConstructor {
  const require = createRequire(createRequire(import.meta.url).resolve('@grpc/proto-loader'));
  const protobuf: { util: { recursionLimit: number }; Reader: { recursionLimit: number } } =
    require('protobufjs');
  protobuf.util.recursionLimit = recursionLimit;
  protobuf.Reader.recursionLimit = recursionLimit;
  const definition = loadSync('local_service.proto', {
    defaults: false,
    keepCase: true,
    oneofs: true,
    enums: String,
    longs: String,
    includeDirs: [path.join(analyzerFolder(), 'protos')],
  });
  const root = loadPackageDefinition(definition) as unknown as {
    zetasql: { local_service: { ZetaSqlLocalService: ServiceConstructor } };
  };
  return root.zetasql.local_service.ZetaSqlLocalService;
}

/** A connection to one analyzer process. */
export class AnalyzerClient {
  #client: ServiceClient;

  constructor(address: string) {
    const Service = loadService();
    this.#client = new Service(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      // Otherwise all clients of one address share one connection.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /**
   * One call. The work inside the analyzer goes on after the deadline: whoever meets it has to end the process.
   *
   * @param deadlineMs milliseconds from now
   * @throws gRPC's `ServiceError`
   */
  call(method: AnalyzerMethod, request: object, deadlineMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#client[method](request, { deadline: Date.now() + deadlineMs }, (error, answer) =>
        error ? reject(error) : resolve(answer),
      );
    });
  }

  close(): void {
    this.#client.close();
  }
}
