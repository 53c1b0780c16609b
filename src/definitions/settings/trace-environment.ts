/** Names of samplers. Source: OpenTelemetry's specification of environment variables. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof samplers)[number];

/** How requests are traced. OpenTelemetry's exporter reads the address and headers of the collector itself. */
export interface TraceSettings {
  readonly sampler: SamplerName;
  /** Fraction of requests that ratio-based samplers trace, from 0 to 1. */
  readonly ratio: number;
  readonly batch: {
    readonly scheduledDelayMillis?: number;
    readonly exportTimeoutMillis?: number;
    readonly maxQueueSize?: number;
    readonly maxExportBatchSize?: number;
  };
}

/** Whether a variable configures OpenTelemetry's exporter, and can be set in a file. Those in docs/operating.md, and its like. */
export function isTraceVariable(name: string): boolean {
  return /^OTEL_(?:(?:EXPORTER_OTLP|TRACES|BSP)_\w+|SERVICE_NAME|RESOURCE_ATTRIBUTES|SDK_DISABLED)$/.test(
    name,
  );
}

/** OpenTelemetry's variables. They are not settings of the gateway: many programs share them. */
export interface TraceEnvironment {
  /** Absent if tracing is off. */
  readonly tracing?: TraceSettings;
}

/**
 * Reads OpenTelemetry's variables: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 *
 * As the specification requires, an invalid value never keeps the program from starting.
 *
 * @param warn receives a sentence about each invalid value
 */
export function readTraceEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void = () => {},
): TraceEnvironment {
  const given = (name: string) => environment[name]?.trim() || undefined;
  if (given('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return {};
  const address = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find(given);
  const exporter = given('OTEL_TRACES_EXPORTER') ?? (address === undefined ? 'none' : 'otlp');
  if (exporter === 'none') return {};
  const protocol =
    given('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? given('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/protobuf';
  if (exporter !== 'otlp') {
    warn(`OTEL_TRACES_EXPORTER: tracing is off: expected otlp or none, got ${JSON.stringify(exporter)}`);
    return {};
  }
  if (protocol !== 'http/protobuf') {
    warn(
      `OTEL_EXPORTER_OTLP_PROTOCOL: tracing is off: expected http/protobuf, got ${JSON.stringify(protocol)}`,
    );
    return {};
  }
  if (address !== undefined && !isHttpUrl(given(address))) {
    // OpenTelemetry's exporter would fall back to localhost. The warning omits the value: a URL can contain a password.
    warn(`${address}: tracing is off: expected a URL such as http://collector:4318`);
    return {};
  }
  const whole = <Name extends string>(name: Name, variable: string) =>
    readWhole(name, variable, given(variable), warn);
  return {
    tracing: {
      sampler: readSampler(given('OTEL_TRACES_SAMPLER'), warn),
      ratio: readRatio(given('OTEL_TRACES_SAMPLER_ARG'), warn),
      batch: {
        ...whole('scheduledDelayMillis', 'OTEL_BSP_SCHEDULE_DELAY'),
        ...whole('exportTimeoutMillis', 'OTEL_BSP_EXPORT_TIMEOUT'),
        ...whole('maxQueueSize', 'OTEL_BSP_MAX_QUEUE_SIZE'),
        ...whole('maxExportBatchSize', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
      },
    },
  };
}

function readSampler(text: string | undefined, warn: (sentence: string) => void): SamplerName {
  const standard = 'parentbased_always_on';
  if (text === undefined) return standard;
  const known = samplers.find((name) => name === text);
  if (known === undefined)
    warn(`OTEL_TRACES_SAMPLER: unknown sampler ${JSON.stringify(text)}, using ${standard}`);
  return known ?? standard;
}

function readRatio(text: string | undefined, warn: (sentence: string) => void): number {
  const ratio = Number(text ?? 1);
  if (ratio >= 0 && ratio <= 1) return ratio;
  warn(`OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1, got ${JSON.stringify(text)}, using 1`);
  return 1;
}

/** A positive whole number under its name, or an empty object, which leaves OpenTelemetry's default. */
function readWhole<Name extends string>(
  name: Name,
  variable: string,
  text: string | undefined,
  warn: (sentence: string) => void,
): { readonly [Key in Name]?: number } {
  if (text === undefined) return {};
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return { [name]: value } as { [Key in Name]: number };
  warn(`${variable}: expected a whole number above 0, got ${JSON.stringify(text)}, ignored`);
  return {};
}

function isHttpUrl(text = ''): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text);
}
