import type { Section } from '../page/section.ts';
import { type Bar, barPanel, barPanelHeight } from '../plots/bar-panel.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { colours } from '../plots/theme.ts';
import { type Spread, scaled, spreadOf } from '../spread.ts';
import { asManyText, countText, listText, msText, percentText, rangeText } from '../words.ts';
import type { MeasuredServer, ServersData } from './servers-data.ts';

/** A server with its spreads, and its rate as a part of that of the bare server of its kind. */
interface Compared extends MeasuredServer {
  readonly rate: Spread;
  readonly ofBare: Spread;
  readonly typical: Spread;
  readonly tail: Spread;
}

/** What the page says of the gateway and other servers. */
export function serversSection(data: ServersData): Section {
  const all = compared(data);
  const rest = all.filter(({ kind }) => kind === 'REST');
  const graphql = all.filter(({ kind }) => kind === 'GraphQL');
  const others = graphql.filter(({ isGateway, way }) => !isGateway && way !== 'bare');
  const own = (list: readonly Compared[], way: MeasuredServer['way']) =>
    list.filter((one) => one.isGateway && one.way === way);
  return {
    shown: `Answers per second with ${countText(data.rows)} rows to ${data.connections} clients on kept connections, as a part of those of a bare node:http server that sends the same bytes and does nothing else.`,
    plot: { svg: plot(rest, graphql), alternative: alternativeOf(all) },
    results: [
      ...own(rest, 'cached').map(
        ({ ofBare }) =>
          `By REST, the gateway answers ${asManyText(ofBare.median)} requests per second from its cache as bare node:http.`,
      ),
      ...own(graphql, 'cached').map(
        (gateway) =>
          `By GraphQL, it answers ${asManyText(gateway.ofBare.median)} from its cache as bare node:http${others.length === 0 ? '' : `, and ${comparedText(gateway, others)}`}.`,
      ),
    ],
    lost: [
      ...own(rest, 'cached').flatMap(({ ofBare }) => slowerThanBare('REST', ofBare)),
      ...own(graphql, 'cached').flatMap(({ ofBare }) => slowerThanBare('GraphQL', ofBare)),
      ...own(graphql, 'executed').map((gateway) => executedText(gateway, others)),
      'The other GraphQL servers check no keys, count nothing and report nothing; the gateway does so for each request.',
    ],
    table: {
      headings: ['Server', 'Answers/s', 'of bare', 'p50', 'p99'],
      rows: all.map(({ kind, name, rate, ofBare, typical, tail }) => [
        `${kind}: ${name}`,
        rangeText(rate, countText),
        percentText(ofBare.median),
        msText(typical.median),
        rangeText(tail, msText),
      ]),
    },
    method: [
      `Each server runs in its own process, and its clients in another one on the same machine. They are asked in turn, ${data.rounds} times for about ${data.seconds} s each; values are medians, and ranges go from the lowest round to the highest.`,
      `The rows are in memory, so no database is measured. REST answers have ${countText(data.restBytes)} bytes. GraphQL answers have ${countText(data.graphqlBytes)} bytes of data, after which the gateway adds its extensions. "Executed" servers execute the operation for each request; "cached" ones have executed it before.`,
      `Proved: each answer had the same bytes of data; the gateway counted each as a hit or as a run of its engine; the other servers executed each request, or one for each client if they cache.`,
    ],
  };
}

function compared({ candidates }: ServersData): Compared[] {
  return candidates.map((one) => {
    const bare = candidates.find(({ kind, way }) => kind === one.kind && way === 'bare');
    const rate = spreadOf(one.perSecond);
    const ofBare = scaled(rate, 1 / spreadOf(bare?.perSecond ?? []).median);
    return { ...one, rate, ofBare, typical: spreadOf(one.p50), tail: spreadOf(one.p99) };
  });
}

function comparedText(gateway: Compared, others: readonly Compared[]): string {
  const texts = others.map(({ name, rate }) => `${asManyText(gateway.rate.median / rate.median)} as ${name}`);
  return listText(texts);
}

function slowerThanBare(kind: string, { median }: Spread): string[] {
  return median >= 1 ? [] : [`A ${kind} hit costs ${percentText(1 - median)} of the rate of a bare server.`];
}

/** What becomes of the gateway's rate when it has to execute, too. */
function executedText(gateway: Compared, others: readonly Compared[]): string {
  const executed = others.filter(({ way }) => way === 'executed');
  const faster = executed.filter(({ rate }) => rate.median > gateway.rate.median);
  const slower = executed.filter(({ rate }) => rate.median <= gateway.rate.median);
  const against = (list: readonly Compared[]) =>
    listText(list.map(({ name, rate }) => `${name} (${asManyText(gateway.rate.median / rate.median)})`));
  const texts = [
    ...(faster.length === 0 ? [] : [`fewer than ${against(faster)}`]),
    ...(slower.length === 0 ? [] : [`at least as many as ${against(slower)}`]),
  ];
  return `Without its cache, when each request is executed over the same rows, the gateway answers ${countText(gateway.rate.median)} requests per second${texts.length === 0 ? '' : `: ${texts.join(', and ')}`}.`;
}

function plot(rest: readonly Compared[], graphql: readonly Compared[]): string {
  const most = Math.max(1, ...[...rest, ...graphql].map(({ ofBare }) => ofBare.most)) * 1.02;
  const bars = (list: readonly Compared[]): Bar[] =>
    list
      .toSorted((a, b) => b.rate.median - a.rate.median)
      .map(({ name, isGateway, ofBare, rate, typical, tail }) => ({
        row: name,
        value: ofBare.median,
        least: ofBare.least,
        most: ofBare.most,
        colour: isGateway ? colours.gateway : colours.other,
        label: percentText(ofBare.median),
        cells: [countText(rate.median), msText(typical.median), msText(tail.median)],
      }));
  const common = {
    ...{ x: 0, width: figureWidth, names: 190, labels: 60, most, reference: 1 },
    columns: ['answers/s', 'p50', 'p99'],
    tickFormat: (value: number) => percentText(value),
    axis: 'answers per second, as a part of bare node:http',
  };
  const restHeight = barPanelHeight(rest.length, false);
  const below = restHeight + 36;
  return figureSvg({
    height: below + 22 + barPanelHeight(graphql.length),
    alternative: alternativeOf([...rest, ...graphql]),
    panels: [
      barPanel({ ...common, y: 0, heading: 'REST', bars: bars(rest), hasAxis: false }),
      barPanel({ ...common, y: below, heading: 'GraphQL', bars: bars(graphql) }),
    ],
  });
}

function alternativeOf(all: readonly Compared[]): string {
  const texts = all.map(({ kind, name, ofBare }) => `${kind}, ${name}: ${percentText(ofBare.median)}`);
  return `Answers per second as a part of bare node:http. ${texts.join('; ')}.`;
}
