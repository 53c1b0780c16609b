import { exploredTable } from '../../../../src/console/pages/explore/question/explored-table.ts';

const column = (name: string, type: string) => ({ name, type, description: '' });

/** The table of `someEvents`, as the list of endpoints describes it. */
export const eventsTable = exploredTable({
  name: 'events',
  time: 'timestamp',
  columns: [
    column('id', 'STRING'),
    column('timestamp', 'TIMESTAMP'),
    column('event_message', 'STRING'),
    column('n', 'INT64'),
    column('x', 'FLOAT64'),
    column('flag', 'BOOL'),
    column('tags', 'ARRAY<STRING>'),
    column('numbers', 'ARRAY<INT64>'),
    column(
      'metadata',
      'ARRAY<STRUCT<level STRING, status INT64, tags ARRAY<STRING>, user STRUCT<name STRING>, request ARRAY<STRUCT<path STRING, ms FLOAT64>>>>',
    ),
  ],
});
