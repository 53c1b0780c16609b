import type { Command } from 'commander';
import type { CommandTools } from '../options/command-tools.ts';
import { addExamples } from '../output/help.ts';

export function addPackCommand(program: Command, { run, output, shareFiles }: CommandTools): void {
  const command = program
    .command('pack')
    .summary('Make a tarball of the endpoints and sources')
    .description(
      'Make a tarball of the endpoints and sources, for ENDPOINTS_FROM; the same files make the same tarball',
    )
    .option('--output <file>', 'file to write', 'endpoints.tar')
    .option('--sign <key>', 'also sign it with this Ed25519 key in a PEM file; the signature is <file>.sig')
    .action((options: { output: string; sign?: string }) =>
      run(async (config) => {
        shareFiles();
        return (await import('./pack.ts')).packCommand(config, output, options);
      }),
    );
  addExamples(command, [
    ['pack'],
    ['pack --output dist/endpoints.tar --sign endpoints.key', 'For gateways that have the public key'],
  ]);
}
