import { createServer, type Server } from 'node:http';
import protobuf from 'protobufjs';
import { portOf } from '../../../support/redis.ts';

/** The parts that tests look at of https://github.com/open-telemetry/opentelemetry-proto, by their numbers there. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    repeated KeyValue attributes = 9; Status status = 15; }
  message Status { string message = 2; int32 code = 3; }
`);
const message = root.lookupType('Request');

type Attributes = Readonly<Record<string, unknown>>;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Attributes;
  readonly resource: Attributes;
  /** 2 is an error. */
  readonly status: number;
}

interface KeyValue {
  readonly key: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

/** A collector that speaks OTLP over HTTP, and keeps what it gets. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  /** The headers of each request. */
  readonly headers: NodeJS.Dict<string | string[]>[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.headers.push({ ...request.headers, path: request.url });
      this.#keep(Buffer.concat(chunks));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  }

  static async start(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #keep(body: Buffer): void {
    const decoded = message.toObject(message.decode(body), { bytes: Buffer, longs: Number });
    for (const { resource, scopeSpans = [] } of decoded.resourceSpans ?? []) {
      for (const span of scopeSpans.flatMap((scope: { spans?: object[] }) => scope.spans ?? [])) {
        this.spans.push({
          traceId: span.traceId.toString('hex'),
          spanId: span.spanId.toString('hex'),
          parentSpanId: span.parentSpanId?.toString('hex') ?? '',
          name: span.name,
          attributes: attributesOf(span.attributes),
          resource: attributesOf(resource?.attributes),
          status: span.status?.code ?? 0,
        });
      }
    }
  }
}

function attributesOf(attributes: readonly KeyValue[] = []): Attributes {
  return Object.fromEntries(attributes.map(({ key, value = {} }) => [key, Object.values(value)[0]]));
}
