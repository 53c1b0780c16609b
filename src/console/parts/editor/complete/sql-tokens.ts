const kinds = ['word', 'quoted', 'text', 'parameter', 'number', 'sign'] as const;

/** A part of a query. Space and comments are none. */
export interface Token {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Each kind with its form. Together they match every text from start to end. */
const forms = {
  space: /\s+/,
  lineComment: /(?:--|#).*/,
  comment: /\/\*[\s\S]*?\*\//,
  text: /(?:\b[rRbB]{1,2})?(?:'''[\s\S]*?'''|"""[\s\S]*?"""|'(?!'')(?:\\.|[^'\\\n])*'|"(?!"")(?:\\.|[^"\\\n])*")/,
  quoted: /`(?:\\.|[^`\\\n])*`?/,
  parameter: /@@?\w*/,
  open: /(?:\/\*|'''|""")[\s\S]*|['"].*/,
  word: /[A-Za-z_]\w*/,
  number: /\d[\w.]*/,
  sign: /[\s\S]/,
};

const pattern = new RegExp(
  Object.entries(forms)
    .map(([kind, { source }]) => `(?<${kind}>${source})`)
    .join('|'),
  'g',
);

/** The parts of a query in GoogleSQL. What is never closed ends with its line or with the query. */
export function tokensOf(sql: string): readonly Token[] {
  return [...sql.matchAll(pattern)].flatMap(({ 0: text, index: from, groups = {} }): Token[] => {
    const kind = kinds.find((candidate) => groups[candidate] !== undefined);
    if (kind === undefined) return [];
    return [{ kind, text: kind === 'quoted' ? unquoted(text) : text, from, to: from + text.length }];
  });
}

/** Whether a query ends within a comment or a text literal. */
export function endsInLiteral(sql: string): boolean {
  const last = [...sql.matchAll(pattern)].at(-1)?.groups ?? {};
  return last.open !== undefined || last.lineComment !== undefined;
}

function unquoted(text: string): string {
  return text.replace(/^`|`$/g, '').replace(/\\(.)/g, '$1');
}
