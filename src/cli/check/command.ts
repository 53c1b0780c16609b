import { type Command, Option } from 'commander';
import { engineNames } from '../../app/engines/registry.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';
import { packageNotice } from '../output/package-notice.ts';

interface CheckOptions {
  readonly against?: string;
  readonly engine?: true | Config['engine'];
  readonly acceptBreaking?: boolean;
  readonly json?: boolean;
  readonly locked?: boolean;
  readonly writeLock?: boolean;
  readonly slices?: boolean;
  readonly pages?: boolean;
  readonly quiet?: boolean;
  readonly store?: boolean;
}

export function addCheckCommand(program: Command, { run, output, shareFiles }: CommandTools): void {
  const command = program
    .command('check')
    .summary('Check endpoints, sources and boards, without data')
    .description(
      'Check all endpoints against the sources, and boards against the endpoints; print types; needs no data',
    )
    .option('--against <file>', 'also report changes that break clients of this printed GraphQL schema')
    .addOption(
      new Option(
        '--engine [engine]',
        'also check with BigQuery, if this or ENGINE says so: bytes that each endpoint would read, types, tables',
      ).choices(engineNames()),
    )
    .option('--store', 'also check that the rows of the store in DATA_DIR fit the sources')
    .option('--slices', 'also print which aggregations are merged from slices, and why others are not')
    .option('--pages', 'also print which results and tables can be read in pages, and why others cannot')
    .option('--write-lock', 'make the lock file beside the endpoints, which later checks keep up to date')
    .addOption(
      new Option('--locked', 'fail instead of writing the lock file, for CI').conflicts([
        'writeLock',
        'acceptBreaking',
      ]),
    )
    .option('--accept-breaking', 'also write changes that break clients to the lock file')
    .option('--json', 'print one JSON document: endpoints, sources, problems, lock and changes')
    .option('--quiet', 'print only what is wrong')
    .action((options: CheckOptions) =>
      run(async (config) => {
        shareFiles();
        output.err(packageNotice(config, process.cwd()) ?? '');
        return (await import('./check.ts')).checkCommand(config, output, options);
      }),
    );
  addExamples(command, [
    ['check'],
    ['check --quiet --against schema.graphql', 'In CI: errors, and changes that break clients'],
    ['check --write-lock', 'From now on, changes that break clients need a new version'],
    ['check --quiet --locked', 'In CI: errors, and an outdated lock file'],
    ['check --store', 'Before a deployment: are there stored rows that do not fit the sources?'],
    ["check --json | jq -r '.problems[].text'"],
  ]);
}
