import type uPlot from 'uplot';

const [minute, day] = [60, 86_400];
/**
 * Labels by the distance of ticks in seconds: the label, and what stands below it where the year, the day or the minute
 * changes. In uPlot's order: distance, label, year, month, day, hour, minute, second, mode.
 */
export const timeFormats: uPlot.Axis.TimeValuesConfig = [
  [365 * day, '{YYYY}', null, null, null, null, null, null, 1],
  [30 * day, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [day, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [minute, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [
    0.001,
    ':{ss}.{fff}',
    '\n{YYYY}-{MM}-{DD} {HH}:{mm}',
    null,
    '\n{MM}-{DD} {HH}:{mm}',
    null,
    '\n{HH}:{mm}',
    null,
    1,
  ],
];
