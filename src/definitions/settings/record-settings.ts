import { z } from 'zod';
import { integer, setting } from './setting.ts';

/** The records of calls and changes. */
export const recordSettings = {
  recordCalls: setting(
    'RECORD_CALLS',
    z
      .enum(['true', 'false'], 'expected true or false')
      .transform((text) => text === 'true')
      .optional(),
    '`true` with the embedded engine, otherwise `false`',
    'Whether calls are recorded in the source `gateway.calls`, and what operators change in `gateway.changes`. See [usage](usage.md).',
  ),
  recordCallsDays: setting(
    'RECORD_CALLS_DAYS',
    integer(90, 1, 36_500),
    '90',
    'After how many days the rows of `gateway.calls` are deleted.',
  ),
  recordParameters: setting(
    'RECORD_PARAMETERS',
    z
      .string()
      .default('')
      .transform(
        (text) =>
          new Set(
            text
              .split(',')
              .map((name) => name.trim())
              .filter((name) => name !== ''),
          ) as ReadonlySet<string>,
      ),
    'none',
    'Comma-separated names of the parameters whose values are recorded. Of all others, there is only a digest.',
  ),
};
