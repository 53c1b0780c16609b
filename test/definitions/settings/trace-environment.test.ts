import { describe, expect, test } from 'vitest';
import { readTraceEnvironment } from '../../../src/definitions/settings/trace-environment.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

function warningsOf(environment: Record<string, string>): string[] {
  const warnings: string[] = [];
  readTraceEnvironment(environment, (warning) => warnings.push(warning));
  return warnings;
}

describe('OpenTelemetry’s variables', () => {
  test('ask for traces by a collector, or by the exporter', () => {
    expect(readTraceEnvironment({})).toEqual({});
    expect(readTraceEnvironment(endpoint).tracing).toMatchObject({
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
    expect(readTraceEnvironment({ OTEL_TRACES_EXPORTER: 'otlp' })).toHaveProperty('tracing');
    const ofTraces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' };
    expect(readTraceEnvironment(ofTraces)).toHaveProperty('tracing');
  });

  test('can turn tracing off nevertheless', () => {
    expect(readTraceEnvironment({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toEqual({});
    expect(readTraceEnvironment({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toEqual({});
  });

  test('say which requests are traced, and how spans are sent', () => {
    const { tracing } = readTraceEnvironment({
      ...endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_BSP_MAX_QUEUE_SIZE: 'many',
    });
    expect(tracing).toEqual({
      sampler: 'parentbased_traceidratio',
      ratio: 0.25,
      batch: { scheduledDelayMillis: 100 },
    });
  });

  test('never keep the program from starting: invalid ones lead to a warning', () => {
    expect(readTraceEnvironment({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual({});
    expect(warningsOf({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL: tracing is off: expected http/protobuf, got "grpc"',
    ]);
    expect(warningsOf({ OTEL_TRACES_EXPORTER: 'zipkin' })).toHaveLength(1);
    expect(
      warningsOf({ ...endpoint, OTEL_TRACES_SAMPLER: 'some', OTEL_TRACES_SAMPLER_ARG: '2' }),
    ).toHaveLength(2);
    expect(warningsOf({ ...endpoint, OTEL_BSP_SCHEDULE_DELAY: '5s' })).toEqual([
      'OTEL_BSP_SCHEDULE_DELAY: expected a whole number above 0, got "5s", ignored',
    ]);
  });

  test('name a collector by a URL: otherwise spans would be sent to this machine', () => {
    for (const variable of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
      for (const address of ['collector:4318', '10.1.2.3:4318', 'not a url', 'ftp://collector']) {
        const environment = { ...endpoint, [variable]: address };
        expect(readTraceEnvironment(environment)).toEqual({});
        expect(warningsOf(environment)).toEqual([
          `${variable}: tracing is off: expected a URL such as http://collector:4318`,
        ]);
      }
    }
  });
});
