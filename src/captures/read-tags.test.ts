import { expect, it } from 'vitest';
import { readTags } from './read-tags.ts';

function read(html: string): unknown[] {
  const events: unknown[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') events.push(text);
    text = '';
  };
  readTags(html, {
    onOpen(name, attributes) {
      flush();
      events.push([name, { ...attributes }]);
    },
    onClose(name) {
      flush();
      events.push(`/${name}`);
    },
    onText(piece) {
      text += piece;
    },
  });
  flush();
  return events;
}

it('reads names, attributes in all their spellings, and text', () => {
  expect(
    read(
      `<!doctype html><A HREF=x?a=1&amp;b=2 Title='"' download data-x="a>b" href=y>1 &lt; 2&#x21;</A><br/>`,
    ),
  ).toEqual([
    ['a', { href: 'x?a=1&b=2', title: '"', download: '', 'data-x': 'a>b' }],
    '1 < 2!',
    '/a',
    ['br', {}],
  ]);
});

it('finds no tags in scripts, styles, titles, text areas and comments', () => {
  expect(
    read(
      '<script>a="<b>&amp;"</script><style><i></style><title><u>&amp;</title><textarea><p></textarea><!-- <img> -->',
    ),
  ).toEqual([
    ['script', {}],
    'a="<b>&amp;"',
    '/script',
    ['style', {}],
    '<i>',
    '/style',
    ['title', {}],
    '<u>&',
    '/title',
    ['textarea', {}],
    '<p>',
    '/textarea',
  ]);
});

it('reads the beginning of a truncated document', () => {
  expect(read('<p>a<script>var b')).toEqual([['p', {}], 'a', ['script', {}], 'var b']);
  expect(read('<p>a<img src="x')).toEqual([['p', {}], 'a']);
});

it('reads unusual references and names', () => {
  expect(read('<a __proto__=x toString=y>&#x110000;&#xd800;&notareference;</a>')).toEqual([
    ['a', { tostring: 'y' }],
    expect.any(String),
    '/a',
  ]);
});

const gapOf = (html: string) => readTags(html, { onOpen: () => {} });

it('reads what follows an element of SVG or MathML that closes itself', () => {
  const script = ['script', expect.objectContaining({ src: '/a.js' })];
  for (const html of [
    '<svg><title/></svg>',
    '<svg><script/></svg>',
    '<math><style/></math>',
    '<svg><iframe/>',
  ]) {
    expect(read(`${html}<script src=/a.js href=/a.js></script>`)).toContainEqual(script);
    expect(gapOf(`${html}<script src=/a.js href=/a.js></script>`)).toBeNull();
  }
});

it('reads the text of CDATA sections where browsers do', () => {
  expect(read('<svg><script><![CDATA[a<b>]]></script></svg>')).toContainEqual('a<b>');
  expect(gapOf('<p><![CDATA[>]]>')).toMatch(/malformed/);
});

it('ends an element that begins in a noscript element with it', () => {
  expect(read('<noscript><style></noscript><img src=x>')).toContainEqual(['img', { src: 'x' }]);
  expect(read('<noscript><base href=/y><meta name=z><img src=x></noscript>')).toEqual([
    ['noscript', {}],
    ['img', { src: 'x' }],
    '/noscript',
  ]);
});

it.each(['<p>a', '<title></title>', '<p>a<', '<p>&am', '<svg><title/>', '<br/>', ''])(
  'has no gap if %j ends in text',
  html => {
    expect(gapOf(html)).toBeNull();
  },
);

it.each([
  ...[
    '<title>',
    '<script>a',
    '<!-- a',
    '<svg><![CDATA[a',
    '<a href="',
    '<a',
    '</a',
    '<plaintext>a',
    '<!x',
    '<a b ',
  ],
  ...['<noscript>', '<noscript></noscriptx>'],
])('has a gap if the page ends with %j', html => {
  expect(gapOf(html)).toMatch(/^The page ends within/);
});

it.each([
  ['<svg><foreignObject><ul><li>a<li>b</ul></foreignObject></svg>', null],
  ['<svg><foreignObject><div><p>a</div></foreignObject></svg>', null],
  ['<svg><foreignObject><div><b>a</div></foreignObject></svg>', 'differently'],
  ['<noscript></noscript>'.repeat(1_000), null],
  ['<noscript></noscript>'.repeat(1_001), 'noscript'],
])('reports a gap if browsers may find other elements: %.60s', (html, reason) => {
  const gap = readTags(html, { onOpen() {} });
  if (reason === null) expect(gap).toBeNull();
  else expect(gap).toContain(reason);
});
