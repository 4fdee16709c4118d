import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { filesBelow } from '../support/files-below.ts';

/** Texts and comments use the terms of the field, in American English. */

interface Rule {
  readonly banned: RegExp;
  readonly better: string;
}

const rules: readonly Rule[] = [
  { banned: /\blook(s|ed|ing)?\b(?![ -](up|ups|like|alike|ahead|behind))/, better: 'scan, check or assess' },
  { banned: /\bwhat (is|was|were|has been) (seen|said|asked|told|there|under way)\b/, better: 'the noun' },
  {
    banned: /\b(whoever|whomever|somebody|anybody|everybody|nobody)\b/,
    better: 'the role, such as operator',
  },
  { banned: /\b(tells?|telling|told)\b/, better: 'shows, reports or names' },
  { banned: /\b(ask|asks|asked|asking) (\w+ )?for\b/, better: 'requests or requires' },
  {
    banned: /\bholds\b(?! (a|an|the|its|no) (\w+ )?(lock|locks|connection|permit)\b)/,
    better: 'is valid, contains',
  },
  { banned: /\b(does|do|did|must|still) (not )?hold\b/, better: 'is valid' },
  { banned: /\b(mend|mends|mended|mending)\b/, better: 'fix' },
  { banned: /\b(lets?|letting) go of\b/, better: 'releases' },
  { banned: /\b(take|takes|took|taking) turns\b/, better: 'runs round-robin, is queued' },
  { banned: /\b(its|their|whose) turn\b/, better: 'is queued' },
  { banned: /\b(an|own|any) acts?\b/, better: 'action' },
  { banned: /\b(as )?it stands\b|\bstands? like\b/, better: 'status' },
  { banned: /\bfor ever\b/, better: 'permanently, forever' },
  { banned: /\bunder way\b/, better: 'running, in progress' },
  { banned: /\banew\b/, better: 'again' },
  { banned: /\bworst first\b/, better: 'most severe first' },
  { banned: /\b(come|comes|came|coming) back\b/, better: 'returns, is reopened' },
  { banned: /\b(a|an) \w+ of (its|their|his|her) own\b/, better: 'its own, separate' },
  { banned: /\bin the place of\b/, better: 'instead of' },
  { banned: /\b(hand|hands|handed) (over|out)\b/, better: 'sends, passes' },
  { banned: /\bany ?more\b/, better: 'no longer' },
  { banned: /\bso that\b[^.:;]*\bso that\b/, better: 'two sentences' },
  { banned: /\b(of|by) (which|whom)\b/, better: 'a sentence without the relative clause' },
  { banned: /\blog-(in|ins|on|ons)\b/, better: 'login, sign-in' },
  { banned: /\be-mail/, better: 'email' },
  { banned: /\b(lower|upper)-case\b/, better: 'lowercase, uppercase' },
  { banned: /\b(allow|block|deny)-list/, better: 'allowlist, blocklist' },
  { banned: /\btime-outs?\b/, better: 'timeout' },
  { banned: /\bcompliant\b/, better: 'supports (no statement of compliance)' },
  {
    banned: /\b(whilst|amongst|artefact|grey|judgement|centre|defence|programme)s?\b/,
    better: 'American spelling',
  },
  { banned: /\b(cancell|labell|modell|travell)(ed|ing)\b/, better: 'American spelling' },
];

/** Also in identifiers, where they are parts of words. */
const british: Rule = {
  banned:
    /colour|neighbour|behaviour|favour|honour|licence|(organ|author|recogn|normal|initial|minim|optim)is(e|ing|ation)/,
  better: 'American spelling',
};

/** Each with its reason. One that no longer applies fails. */
const exempt: readonly { readonly file: string; readonly phrase: string; readonly why: string }[] = [
  { file: 'src/private-postgres/owner.ts', phrase: 'nobody', why: 'the name of an account' },
  { file: 'src/detectors/lexicon/sensitive-names.ts', phrase: 'licence', why: 'a column in British schemas' },
  { file: 'src/domain/security-rule.ts', phrase: 'Log-in', why: 'the title in 45 CFR 164.308' },
];

interface Hit {
  readonly file: string;
  readonly line: number;
  readonly phrase: string;
  readonly better: string;
}

/** Rules, and one expression for all of them: few texts match it. */
interface RuleSet {
  readonly rules: readonly Rule[];
  readonly any: RegExp;
}

function ruleSet(given: readonly Rule[]): RuleSet {
  const all = given.map(({ banned, better }) => ({ banned: new RegExp(banned.source, 'gi'), better }));
  return { rules: all, any: new RegExp(all.map(({ banned }) => `(?:${banned.source})`).join('|'), 'i') };
}

const ofTexts = ruleSet([...rules, british]);
const ofIdentifiers = ruleSet([british]);

function hitsIn(file: string, line: number, text: string, applied: RuleSet): Hit[] {
  if (!applied.any.test(text)) return [];
  return applied.rules.flatMap(({ banned, better }) => {
    return [...text.matchAll(banned)].map(({ 0: phrase, index }) => ({
      file,
      line: line + text.slice(0, index).split('\n').length - 1,
      phrase,
      better,
    }));
  });
}

/** Markdown without code, which is not prose. */
function proseOf(markdown: string): string {
  const withoutCode = (code: string) => code.replace(/[^\n]/g, ' ');
  return markdown
    .replace(/^```[\s\S]*?^```/gm, withoutCode)
    .replace(/`[^`\n]*`|\]\([^)\n]*\)|<[^>\n]*>/g, withoutCode);
}

/** Comments, and the texts of string literals, templates and JSX. */
function hitsInSource(file: string, text: string): Hit[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const hits: Hit[] = [];
  const comments = new Set<number>();
  const walk = (node: ts.Node): void => {
    const around = [
      ts.getLeadingCommentRanges(text, node.pos) ?? [],
      ts.getTrailingCommentRanges(text, node.end) ?? [],
    ];
    for (const ranges of around) {
      const [first, last] = [ranges[0], ranges.at(-1)];
      if (!first || !last || comments.has(first.pos)) continue;
      comments.add(first.pos);
      // Joined, since a phrase may be broken across lines.
      const words = text.slice(first.pos, last.end).replace(/\n\s*(\*|\/\/)?\s*/g, ' ');
      hits.push(...hitsIn(file, lineAt(first.pos), words, ofTexts));
    }
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    const isPath = ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);
    if ((isText && !isPath) || ts.isJsxText(node))
      hits.push(...hitsIn(file, lineAt(node.getStart()), node.text, ofTexts));
    if (ts.isIdentifier(node)) hits.push(...hitsIn(file, lineAt(node.getStart()), node.text, ofIdentifiers));
    for (const child of node.getChildren()) walk(child);
  };
  for (const child of source.getChildren()) walk(child);
  return hits;
}

function hitsInFile(file: string, text: string): Hit[] {
  if (!file.endsWith('.md')) return hitsInSource(file, text);
  return hitsIn(file, 1, proseOf(text), ofTexts);
}

it('uses the terms of the field, in American English', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...filesBelow('docs', /\.md$/),
    ...filesBelow('examples', /\.md$/),
    ...filesBelow('src', /\.tsx?$/),
    ...filesBelow('web', /\.tsx?$/),
  ];
  expect(files.length).toBeGreaterThan(500);
  const hits = files.flatMap(file => hitsInFile(file, readFileSync(file, 'utf8')));
  const exemptionOf = (hit: Hit) =>
    exempt.find(({ file, phrase }) => file === hit.file && phrase === hit.phrase);
  expect(
    hits
      .filter(hit => !exemptionOf(hit))
      .map(({ file, line, phrase, better }) => `${file}:${line} "${phrase}" -> ${better}`),
  ).toEqual([]);
  expect(exempt.filter(one => !hits.some(hit => exemptionOf(hit) === one))).toEqual([]);
});

it.each([
  ['a comment', '// The website that is to be looked at.\nrun();', 'looked'],
  ['a comment over lines', '/**\n * It is kept for\n * ever.\n */\nrun();', 'for ever'],
  ['line comments', '// It is kept for\n// ever.\nrun();', 'for ever'],
  ['a comment after code', 'run(); // whoever runs it\nstop();', 'whoever'],
  ['a string', "const text = 'Ask whoever runs this service.';", 'whoever'],
  ['a template', 'const text = `\u0024{name} asks for \u0024{scope}`;', 'asks for'],
  ['JSX', 'const page = <p>Mend the connection.</p>;', 'Mend'],
  ['an identifier', 'const backgroundColour = 1;', 'Colour'],
])('finds a banned phrase in %s', (_where, text, phrase) => {
  expect(hitsInFile('src/x.tsx', text).map(hit => hit.phrase)).toEqual([phrase]);
});

it('finds a banned phrase in Markdown, but not in code', () => {
  const text = '# Title\n\nIt tells `what it tells`.\n\n```\nfor ever\n```\n';
  expect(hitsInFile('docs/x.md', text)).toMatchObject([{ line: 3, phrase: 'tells' }]);
});
