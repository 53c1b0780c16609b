import { type Command, Option } from 'commander';
import type { KeyOptions } from '../../calls/access/key/key-options.ts';
import type { RotationOptions } from '../../calls/access/key/rotation.ts';
import type { CommandTools } from '../options/command-tools.ts';
import { repeatable } from '../options/option-values.ts';
import { addExamples } from '../output/help.ts';
import type { TokenOptions } from './token.ts';

// The options that keys and tokens share.
const endpoints = () =>
  new Option('--endpoints <names>', 'allow only these endpoints, by name or id, comma-separated').argParser(
    repeatable,
  );
const projects = () =>
  new Option(
    '--projects <refs>',
    'allow only these values of the parameter `project`, comma-separated',
  ).argParser(repeatable);
const pin = () =>
  new Option('--pin <name=value>', 'allow only this value of another parameter; repeatable').argParser(
    repeatable,
  );
const redact = () => new Option('--redact', 'always redact rows');
const rate = () => new Option('--rate <rate>', 'rate limit: 10/s, 600/m or 5000/h');
const bytesPerDay = () =>
  new Option(
    '--bytes-per-day <bytes>',
    'bytes that its queries may be billed per day (UTC): 5000000 or 100GB',
  );
const maxScanBytes = () =>
  new Option('--max-scan-bytes <bytes>', 'the most bytes that a query may read: 5000000 or 100MB');
const allow = () =>
  new Option(
    '--allow <what>',
    'what may be used in an hour, a day or a month (UTC): calls=10000/day, rows=5000000/month, engine-seconds=600/hour, bytes=1TB/month; repeatable',
  ).argParser(repeatable);
const whenSpent = () =>
  new Option('--when-spent <what>', 'what becomes of calls when that is spent: refuse (default) or slow');

export function addKeysCommand(program: Command, { run, output }: CommandTools): void {
  const keys = program.command('keys').description('Create, list, rotate and revoke API keys');
  const create = keys
    .command('create')
    .summary('Create a key, and print it')
    .description('Create a key and print it to standard output; it is shown only once')
    .requiredOption('--name <who>', 'owner of the key, shown in logs and budgets, and used by `keys revoke`')
    .addOption(endpoints())
    .addOption(projects())
    .addOption(pin())
    .option('--scopes <scopes>', 'permissions: query, write, admin, tables (default: query)', repeatable)
    .option('--expires <when>', 'expiry: 90d, 12h or 2026-12-31 (default: never)')
    .option(
      '--sources <names>',
      'with the scope write: add and delete rows of these sources only, comma-separated',
      repeatable,
    )
    .addOption(redact())
    .addOption(rate())
    .addOption(bytesPerDay())
    .addOption(maxScanBytes())
    .option('--class <class>', 'class of its queries: interactive, default or background')
    .addOption(allow())
    .addOption(whenSpent())
    .action((options: KeyOptions) =>
      run(async (config) => (await import('./keys.ts')).createKeyCommand(config, output, options)),
    );
  const token = keys
    .command('token')
    .summary('Make a JSON Web Token for trying')
    .description('Make a JSON Web Token for trying, signed with JWT_SECRET')
    .requiredOption('--subject <who>', 'bearer of the token, shown in logs')
    .addOption(endpoints())
    .addOption(projects())
    .addOption(pin())
    .option('--expires <when>', 'expiry: 30m, 12h or 2026-12-31 (default: 30m)')
    .addOption(redact())
    .addOption(rate())
    .addOption(bytesPerDay())
    .addOption(allow())
    .addOption(whenSpent())
    .action((options: TokenOptions) =>
      run(async (config) => (await import('./token.ts')).tokenCommand(config, output, options)),
    );
  const list = keys
    .command('list')
    .summary('List all keys')
    .description('List all keys, including expired and revoked ones')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      run(async (config) => (await import('./keys.ts')).listKeysCommand(config, output, options)),
    );
  const rotate = keys
    .command('rotate')
    .summary('Replace a key by a new one with the same restrictions')
    .description(
      'Make a new key with the id, name and restrictions of another one, and print it to standard output; the other one ends after the overlap',
    )
    .argument('<key>', 'id or name of the key')
    .option('--overlap <duration>', 'how long the key before stays valid: 24h, 7d, or 0 (default: 24h)')
    .option('--expires <when>', 'new expiry: 90d, 12h or 2026-12-31 (default: the one that the key has)')
    .action((named: string, options: RotationOptions) =>
      run(async (config) => (await import('./rotate.ts')).rotateKeyCommand(config, output, named, options)),
    );
  const revoke = keys
    .command('revoke')
    .summary('Revoke a key')
    .description('Revoke a key immediately, on every gateway that shares the key store')
    .argument('<key>', 'id or name of the key')
    .action((named: string) =>
      run(async (config) => (await import('./keys.ts')).revokeKeyCommand(config, output, named)),
    );
  addExamples(create, [
    ['keys create --name frontend'],
    ['keys create --name tenant --projects abc,def --rate 10/s --expires 90d', 'A key for two projects'],
    ['keys create --name shop --scopes write --sources shop_logs', 'A key for a collector'],
  ]);
  addExamples(token, [['keys token --subject ann --endpoints logs.all']]);
  addExamples(list, [['keys list']]);
  addExamples(rotate, [
    ['keys rotate tenant'],
    ['keys rotate tenant --overlap 0', 'The key is known to others: it ends at once'],
  ]);
  addExamples(revoke, [['keys revoke tenant']]);
}
