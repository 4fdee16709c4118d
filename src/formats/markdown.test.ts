import { expect, it } from 'vitest';
import { markdownCode, markdownLink, markdownText } from './markdown.ts';

it.each([
  ['**bold** _it_ `code`', '\\*\\*bold\\*\\* \\_it\\_ \\`code\\`'],
  ['<img src=x onerror=alert(1)>', '\\<img src\\=x onerror\\=alert\\(1\\)\\>'],
  ['[a](https://evil.example)', '\\[a\\]\\(https\\:\\/\\/evil\\.example\\)'],
  ['a | b\n| c |', 'a \\| b \\| c \\|'],
  ['back\\slash', 'back\\\\slash'],
  ['\u202ereversed\u200b\ntext\u0007', 'reversed text'],
  ['@everyone #1 !2 ~label', '\\@everyone \\#1 \\!2 \\~label'],
])('writes %j as text', (text, written) => {
  expect(markdownText(text, 100)).toBe(written);
});

it('cuts text before it escapes, so that no escape is cut', () => {
  expect(markdownText('*'.repeat(50), 10)).toBe(`${'\\*'.repeat(9)}…`);
  expect(markdownText('\u{1f600}'.repeat(50), 10)).toMatch(/^(\u{1f600}){4}\ufffd?…$/u);
});

it('writes code that ends neither the code nor a cell', () => {
  expect(markdownCode('a` | b``\n', 100)).toBe("`a' \\| b''`");
  expect(markdownCode('', 100)).toBe('` `');
});

it('writes a link whose text and target cannot end it', () => {
  expect(markdownLink('](https://evil.example) @team', 'https://p.example/a(b)|c d', 100)).toBe(
    '[\\]\\(https\\:\\/\\/evil\\.example\\) \\@team](https://p.example/a%28b%29%7cc%20d)',
  );
  expect(markdownLink('', 'https://p.example/', 100)).toBe('[finding](https://p.example/)');
});
