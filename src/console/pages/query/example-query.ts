import { writtenName } from '../../../sql/editing/written-name.ts';
import type { Endpoint } from '../../api/endpoints.ts';

const numbers = ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC'];

/** A query over the first table that runs as it is: rows by hour, if they have a time. */
export function exampleQuery(tables: Endpoint['tables'], language: 'sql' | 'lql'): string {
  const [table] = tables;
  if (table === undefined) return '';
  const time = table.columns.find(({ type }) => type === 'TIMESTAMP');
  const isAggregate = table.columns.some(({ type }) => numbers.includes(type));
  if (language === 'lql') {
    const isChart = time?.name === 'timestamp' && !isAggregate;
    return `f:${table.name}${isChart ? ' c:count(*) c:group_by(t::hour)' : ''}`;
  }
  const name = writtenName(table.name);
  if (time === undefined) return `select *\nfrom ${name}\nlimit 100`;
  const column = writtenName(time.name);
  if (isAggregate) return `select *\nfrom ${name}\norder by ${column} desc\nlimit 100`;
  return `select timestamp_trunc(${column}, hour) as hour, count(*) as row_count
from ${name}
group by hour
order by hour desc
limit 100`;
}
