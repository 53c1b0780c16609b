import { pairsOf } from '../parameters/parameter-values.ts';
import { type Call, callPath } from './answer.ts';

/** Code that makes a call. None of it contains a key. */
interface Snippet {
  readonly name: 'curl' | 'JavaScript' | 'Python';
  readonly text: string;
}

/** @param origin of the gateway, such as `http://localhost:4000` */
export function snippetsOf(call: Call, origin: string): readonly Snippet[] {
  const { query } = call;
  const pairs = [
    ...pairsOf(call.values),
    ...(query ? [[query.language, query.text] satisfies [string, string]] : []),
  ];
  const url = `${origin}${callPath(call)}`;
  return [
    { name: 'curl', text: curl(url, pairs) },
    { name: 'JavaScript', text: javaScript(url, pairs) },
    { name: 'Python', text: python(url, pairs) },
  ];
}

type Pairs = readonly [name: string, value: string][];

function curl(url: string, pairs: Pairs): string {
  const lines = [
    'curl --get -H "X-API-KEY: $API_KEY"',
    ...pairs.map(([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`),
    shellQuoted(url),
  ];
  return lines.join(' \\\n  ');
}

/** Source: POSIX, Shell Command Language, 2.2.2 and 2.2.4. */
function shellQuoted(text: string): string {
  if (!control.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(controls, (one) => Array.from(new TextEncoder().encode(one), octal).join(''));
  return `$'${escaped}'`;
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

/** Terminals may act on these when they are pasted, whatever quotes are around them. A link can bring them. */
const controls = /[^\P{Cc}\t\n]/gu;
const control = new RegExp(controls.source, 'u');

function javaScript(url: string, pairs: Pairs): string {
  return `const url = new URL(${JSON.stringify(url)});
${pairs.map(([name, value]) => `url.searchParams.append(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join('')}
const response = await fetch(url, { headers: { 'X-API-KEY': process.env.API_KEY } });
const body = await response.json();
if (!response.ok) throw new Error(body.error);
console.log(body.result);`;
}

function python(url: string, pairs: Pairs): string {
  // JSON's texts are texts of Python, too.
  return `import os
import requests

response = requests.get(
    ${JSON.stringify(url)},
    params=[
${pairs.map(([name, value]) => `        (${JSON.stringify(name)}, ${JSON.stringify(value)}),\n`).join('')}    ],
    headers={"X-API-KEY": os.environ["API_KEY"]},
)
response.raise_for_status()
print(response.json()["result"])`;
}
