import type { Section } from '../page/section.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { linePanel } from '../plots/line-panel.ts';
import { colours } from '../plots/theme.ts';
import { logDomain, logTicks, tickText } from '../plots/ticks.ts';
import { quartilesOf } from '../spread.ts';
import { countText, msText, rangeText } from '../words.ts';
import type { PlanningData, PlanningKind } from './planning-data.ts';

const kindColours: Readonly<Record<PlanningKind, string>> = {
  'UNION ALL': colours.gateway,
  JOIN: colours.second,
};

/** What the page says of planning. */
export function planningSection(data: PlanningData): Section {
  const repeated = data.kinds.flatMap(({ points }) => points.map((point) => point.repeated.median));
  return {
    shown:
      "The time to plan a caller's own query that is new, by its number of tables: parsing, analysis, the border of the caller's rows, and SQL for DuckDB.",
    plot: { svg: plot(data), alternative: alternativeOf(data) },
    results: [
      ...data.kinds.flatMap(({ kind, points }) => {
        const [first, last] = [points[0], points.at(-1)];
        if (first === undefined || last === undefined) return [];
        return [
          `${kind}: ${msText(first.fresh.median)} for ${tablesText(first.tables)}, ${msText(last.fresh.median)} for ${tablesText(last.tables)}, which is ${msText((last.fresh.median - first.fresh.median) / (last.tables - first.tables))} for each further table.`,
        ];
      }),
      `A text that was planned before takes at most ${msText(Math.max(...repeated))}, whatever its number of tables.`,
    ],
    lost: data.kinds.flatMap(({ kind, points }) => {
      const last = points.at(-1);
      return last === undefined
        ? []
        : [
            `The first call with a ${kind} of ${tablesText(last.tables)} waits ${msText(last.fresh.median)} before its query runs, while further calls wait ${msText(last.repeated.median)}.`,
          ];
    }),
    table: {
      headings: ['Tables', ...data.kinds.flatMap(({ kind }) => [`${kind}, new`, `${kind}, repeated`])],
      rows: (data.kinds[0]?.points ?? []).map(({ tables }, index) => [
        String(tables),
        ...data.kinds.flatMap(({ points }) => {
          const point = points[index];
          if (point === undefined) return ['', ''];
          return [rangeText(quartilesOf(point.fresh), msText), msText(point.repeated.median)];
        }),
      ]),
    },
    method: [
      `Medians and quartiles of ${countText(data.texts)} new texts each, through the planner's thread and the analyzer's process. There are nine sources; queries with more tables use them again. Joins are those of \`id\`.`,
      'Proved: the planner received each new text once and no repeated one, and plans have the columns of their query.',
    ],
  };
}

function tablesText(tables: number): string {
  return tables === 1 ? 'one table' : `${tables} tables`;
}

function plot({ kinds }: PlanningData): string {
  const tables = kinds.flatMap(({ points }) => points.map((point) => point.tables));
  const times = kinds.flatMap(({ points }) =>
    points.flatMap(({ fresh }) => [fresh.quarter, fresh.threeQuarters]),
  );
  const domain = logDomain(times);
  return figureSvg({
    height: 300,
    alternative: alternativeOf({ kinds }),
    panels: [
      linePanel({
        ...{ x: 0, y: 0, width: figureWidth, height: 300, labels: 110 },
        lines: kinds.map(({ kind, points }) => ({
          points: points.map(({ tables: x, fresh }) => ({
            ...{ x, y: fresh.median, least: fresh.quarter, most: fresh.threeQuarters },
          })),
          colour: kindColours[kind],
          label: kind,
        })),
        across: {
          ...{ type: 'log', domain: [Math.min(...tables) / 1.08, Math.max(...tables) * 1.08] },
          ...{ ticks: [...new Set(tables)], tickFormat: String, text: 'tables of the query' },
        },
        up: {
          type: 'log',
          domain,
          ticks: logTicks(domain, 230),
          tickFormat: tickText,
          text: 'milliseconds to plan',
        },
      }),
    ],
  });
}

function alternativeOf({ kinds }: Pick<PlanningData, 'kinds'>): string {
  const texts = kinds.map(
    ({ kind, points }) =>
      `${kind}: ${points.map(({ tables, fresh }) => `${tablesText(tables)} ${msText(fresh.median)}`).join(', ')}`,
  );
  return `Time to plan a new query. ${texts.join('; ')}.`;
}
