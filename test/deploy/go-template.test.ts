import { expect, test } from 'vitest';
import { evaluate } from './support/go-template/evaluate.ts';
import { parseTemplate } from './support/go-template/parse.ts';

const data = { a: 'x', none: '', empty: [], list: [10, 20], map: { z: 1, b: 2 }, deep: { list: ['p'] } };

function render(source: string): string {
  const { nodes, defined } = parseTemplate(source);
  return evaluate(nodes, defined, data);
}

/** The right sides are what Go 1.19 prints, with the functions of Sprig 3.2. */
test.each([
  ['a {{- .a -}} b', 'axb'],
  ['a\n  {{- if .none }}\nno\n  {{- else if .a }}\nyes\n  {{- else }}\nno\n  {{- end }}\nb', 'a\nyes\nb'],
  ['{{ range $k, $v := .map }}{{ $k }}={{ $v }},{{ end }}', 'b=2,z=1,'],
  ['{{ range .list }}{{ . }} {{ $.a }};{{ end }}', '10 x;20 x;'],
  ['{{ range .empty }}a{{ else }}empty{{ end }}', 'empty'],
  ['{{ with .deep.list }}{{ toYaml . | nindent 2 }}{{ end }}', '\n  - p'],
  ['{{ with .none }}a{{ else }}b{{ end }}', 'b'],
  ['{{ .none | default "d" | quote }}', '"d"'],
  ['{{ if and .a (not (eq .a "y")) }}t{{ end }}', 't'],
  ['{{ define "n" }}<{{ . }}>{{ end }}{{ include "n" .a | nindent 1 }}', '\n <x>'],
  ['{{ printf "%s.%s" .a "b" }}{{ add 1 2 }}{{ hasKey .map "z" }}{{ kindIs "string" .a }}', 'x.b3truetrue'],
  ['{{ "a" | sha256sum }}', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
])('%j prints %j', (source, printed) => {
  expect(render(source)).toBe(printed);
});

test.each([
  ['{{ upper .a }}', 'an unknown function: upper'],
  ['{{ .missing }}', 'no value'],
  ['{{ .missing.field }}', 'nothing to take field from'],
  ['{{ include "nothing" . }}', 'an unknown template'],
  ['{{ (.a }}', 'a parenthesis is not closed'],
  ['{{ .a & .a }}', 'not understood'],
  ['{{ end }}', 'belongs to nothing'],
  ['{{ fail "reason" }}', 'reason'],
  ['{{ required "needed" .none }}', 'needed'],
])('%j is refused', (source, reason) => {
  expect(() => render(source)).toThrow(reason);
});
