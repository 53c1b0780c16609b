import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { evaluate } from './go-template/evaluate.ts';
import { parseTemplate } from './go-template/parse.ts';

const folder = 'deploy/helm/endpoint-gateway';

const object = z.record(z.string(), z.unknown());
type Values = Readonly<z.infer<typeof object>>;

const chartFile = z.object({ name: z.string(), version: z.string(), appVersion: z.string() });

/** Reads a file of values of the chart, such as `examples/writer.yaml`. */
export async function valuesOf(file: string): Promise<Values> {
  return object.parse(parse(await readFile(path.join(folder, file), 'utf8')));
}

/**
 * Renders the chart as `helm template <release>` does, by the part of Helm that it uses.
 *
 * @param values those that differ from the chart's
 * @returns the text of all manifests
 * @throws Error with what the chart refuses
 */
export async function renderChart(release: string, values: Values): Promise<string> {
  const chart = chartFile.parse(parse(await readFile(path.join(folder, 'Chart.yaml'), 'utf8')));
  const names = (await readdir(path.join(folder, 'templates'))).sort();
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      ...parseTemplate(await readFile(path.join(folder, 'templates', name), 'utf8')),
    })),
  );
  const defined = new Map(files.flatMap((file) => [...file.defined]));
  const data = {
    Release: { Name: release },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Values: merged(await valuesOf('values.yaml'), values),
  };
  const printed = files
    .filter(({ name }) => name.endsWith('.yaml'))
    .map(({ nodes }) => evaluate(nodes, defined, data).trim());
  return `${printed.filter((text) => text !== '').join('\n---\n')}\n`;
}

/** The manifests in a text, as Kubernetes reads them. */
export function manifestsOf(text: string): unknown[] {
  return parseAllDocuments(text, { version: '1.1' }).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS();
  });
}

/** Helm merges objects, and replaces all else. */
function merged(base: unknown, over: unknown): unknown {
  const [under, above] = [object.safeParse(base), object.safeParse(over)];
  if (!under.success || !above.success) return over;
  const all = { ...under.data };
  for (const [key, value] of Object.entries(above.data))
    all[key] = key in all ? merged(all[key], value) : value;
  return all;
}
