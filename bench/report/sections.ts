import type { z } from 'zod';
import { callersData } from './callers/callers-data.ts';
import { callersSection } from './callers/callers-section.ts';
import { hitsData } from './hits/hits-data.ts';
import { hitsSection } from './hits/hits-section.ts';
import { importsData } from './imports/imports-data.ts';
import { importsSection } from './imports/imports-section.ts';
import { latencyData } from './latency/latency-data.ts';
import { latencySection } from './latency/latency-section.ts';
import { memoryData } from './memory/memory-data.ts';
import { memorySection } from './memory/memory-section.ts';
import { overloadData } from './overload/overload-data.ts';
import { overloadSection } from './overload/overload-section.ts';
import type { Section } from './page/section.ts';
import type { PartName } from './part-name.ts';
import { planningData } from './planning/planning-data.ts';
import { planningSection } from './planning/planning-section.ts';
import { refreshesData } from './refreshes/refreshes-data.ts';
import { refreshesSection } from './refreshes/refreshes-section.ts';
import { serversData } from './servers/servers-data.ts';
import { serversSection } from './servers/servers-section.ts';

/** How the page shows a part. */
export interface PartSection {
  readonly title: string;
  /** Throws if the data has another form than the part's. */
  readonly section: (data: unknown) => Section;
}

export const sections: Readonly<Record<PartName, PartSection>> = {
  servers: of('Answers from the cache, beside other servers', serversData, serversSection),
  latency: of('Calls that are not cached, beside DuckDB by hand', latencyData, latencySection),
  refreshes: of('Refreshes after new rows, by rows stored', refreshesData, refreshesSection),
  callers: of('A thousand equal calls at once', callersData, callersSection),
  overload: of('Overload', overloadData, overloadSection),
  hits: of('Cached answers while hostile queries run', hitsData, hitsSection),
  imports: of('Import and ingestion, beside read_json', importsData, importsSection),
  planning: of('Planning, by number of tables', planningData, planningSection),
  memory: of('Memory, by process', memoryData, memorySection),
};

function of<Data>(title: string, schema: z.ZodType<Data>, section: (data: Data) => Section): PartSection {
  return { title, section: (data) => section(schema.parse(data)) };
}
