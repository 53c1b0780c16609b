import { counted } from '../../../base/text/counted.ts';
import {
  describeRules,
  parameterNotes,
} from '../../../definitions/endpoints/parameters/describe-parameter.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import { pathOfTable, tableOfSource } from '../../../definitions/sources/source.ts';
import { type Field, shortType } from '../../../sql/editing/field.ts';
import { formatType, type SqlType } from '../../../sql/values/type.ts';

/** Types of records that name hundreds of fields are cut. */
const maxTypeText = 300;
const maxColumns = 40;

/** A type as text. That of a large record is cut. */
function shownType(type: SqlType): string {
  const text = formatType(type);
  return text.length > maxTypeText ? `${text.slice(0, maxTypeText)}…` : text;
}

/** A parameter in Markdown: type, rules, default and description. */
export function describeParameter(parameter: EndpointParameter): string {
  return paragraphs(
    code(`@${parameter.name} ${formatType(parameter.type)}`),
    parameterNotes({ ...parameter, rules: describeRules(parameter) }),
    parameter.description,
  );
}

/** A source in Markdown: its name in SQL, its file's notes and its columns. */
export function describeSource(source: Source): string {
  const { columns, aliases, retentionDays, unknownFields, timesOutOfRange } = source;
  const table = pathOfTable(tableOfSource(source));
  const list = columns.slice(0, maxColumns).map((column) => `  ${column.name} ${shownType(column.type)}`);
  const more = columns.length > maxColumns ? [`  … ${columns.length - maxColumns} more`] : [];
  const notes = [
    counted(columns.length, 'column'),
    ...(aliases.length > 0 ? [`rows are also sent to it as ${aliases.join(', ')}`] : []),
    ...(retentionDays === undefined ? [] : [`rows are kept for ${counted(retentionDays, 'day')}`]),
    ...(unknownFields === 'reject' ? [] : [`unknown fields: ${unknownFields}`]),
    ...(timesOutOfRange === undefined ? [] : [`times out of range: ${timesOutOfRange}`]),
  ];
  return paragraphs(code([table, ...list, ...more].join('\n')), notes.join('; '));
}

/** A column or field in Markdown: type, mode and description. The fields of a record are listed. */
export function describeField(field: Field, type: SqlType | undefined): string | undefined {
  const { name, fields, mode, description } = field;
  if (type === undefined && fields.length === 0) return undefined;
  const list = fields
    .slice(0, maxColumns)
    .map((inner) => `  ${inner.name}${inner.type === undefined ? '' : ` ${shownType(inner.type)}`}`);
  const more = fields.length > maxColumns ? [`  … ${fields.length - maxColumns} more`] : [];
  const kind = type === undefined ? '' : ` ${shortType(type)}`;
  return paragraphs(code([`${name}${kind}`, ...list, ...more].join('\n')), mode, description);
}

/** A function in Markdown: its signatures. */
export function describeFunction(signatures: readonly string[]): string {
  const shown = signatures.slice(0, 12);
  const more = signatures.length - shown.length;
  return paragraphs(code(shown.join('\n')), more > 0 ? `and ${counted(more, 'signature')} more` : undefined);
}

export function code(text: string): string {
  return `\`\`\`sql\n${text}\n\`\`\``;
}

function paragraphs(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n');
}
