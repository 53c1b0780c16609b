#!/usr/bin/env node
// The command `endpoint-gateway` of the package. It runs on the Node.js that the package brings when the one that started it is too old.
// It is written for old versions.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';
import { isatty } from 'node:tty';

const needed = 24;

if (Number.parseInt(process.versions.node, 10) >= needed) await import('./main.js');
else runOn(ownNode());

/** The Node.js of the package for this platform, if it is installed. */
function ownNode() {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`);
    return path.join(path.dirname(manifest), 'bin/node');
  } catch {
    console.error(
      `endpoint-gateway needs Node.js ${needed} or later, and this is ${process.version}. For Linux it brings its own, which is not installed: npm has left optional dependencies out. Install them, or a later Node.js.`,
    );
    process.exit(1);
  }
}

/** Runs the command in a process of another Node.js, which gets the signals of this one. */
function runOn(node) {
  const main = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), 'main.js');
  const child = spawn(node, [...process.execArgv, main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends SIGINT to both processes. A second one would stop the command at once.
  process.on('SIGINT', () => isatty(0) || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${node} can't be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
