import { plainSettings, type SourceSettings } from './source.ts';
import type { TableField } from './table-field.ts';

/**
 * A table schema as the text of its file. Equal columns and settings give equal texts.
 *
 * @param settings the settings of the source
 */
export function schemaText(fields: readonly TableField[], settings: SourceSettings = plainSettings): string {
  const { wildcard, partitioned, aliases, retentionDays, unknownFields, timestamp, timesOutOfRange, rename } =
    settings;
  const described = {
    ...(wildcard && { wildcard }),
    ...(partitioned && { partitioned }),
    ...(aliases.length > 0 && { aliases }),
    ...(retentionDays && { retentionDays }),
    ...(settings.clustering && { clustering: settings.clustering }),
    ...(unknownFields !== plainSettings.unknownFields && { unknownFields }),
    ...(settings.conflicts && { conflicts: settings.conflicts }),
    ...(timestamp !== undefined && { timestamp }),
    ...(settings.id !== undefined && { id: settings.id }),
    ...(settings.unique && { unique: settings.unique }),
    ...(settings.lateSeconds !== undefined && { lateSeconds: settings.lateSeconds }),
    ...(settings.sliceSeconds !== undefined && { sliceSeconds: settings.sliceSeconds }),
    ...(timesOutOfRange && { timesOutOfRange }),
    ...(rename.length > 0 && { rename: Object.fromEntries(rename.map(({ from, to }) => [from, to])) }),
  };
  const schema = fields.map(written);
  const content = Object.keys(described).length === 0 ? schema : { ...described, fields: schema };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function written({ name, type, mode, description, fields }: TableField): TableField {
  return {
    name,
    type,
    mode,
    ...(description !== undefined && description !== '' && { description }),
    ...(fields !== undefined && fields.length > 0 && { fields: fields.map(written) }),
  };
}
