import { expect, it } from 'vitest';
import { response } from '../../detectors/website/hardened-capture.ts';
import { copiesOfFiles } from './copies-of-files.ts';

const home = 'https://portal.example.com';
const copies = (body: string) => copiesOfFiles(response(`${home}/`, { body }), home).map(({ path }) => path);

it('names copies of the files that a page links to, one of each file first', () => {
  const page =
    '<a href="/login.php?next=1">A</a><form action="ward/list.jsp"></form><a href="/login.php">B</a>';
  expect(copies(page).slice(0, 4)).toEqual([
    '/login.php.bak',
    '/ward/list.jsp.bak',
    '/login.php~',
    '/ward/list.jsp~',
  ]);
  expect(copies(page)).toContain('/ward/.list.jsp.swp');
  expect(copies(page)).toHaveLength(12);
});

it('names none of other sites, of pages without a file, and of files that are sent as they are', () => {
  expect(
    copies(
      '<a href="https://other.example/a.php">A</a><a href="/about">B</a><a href="/a.pdf">C</a><a href="/.php">D</a>',
    ),
  ).toEqual([]);
  const many = Array.from({ length: 50 }, (_, at) => `<a href="/p${at}.php">P</a>`).join('');
  expect(copies(many)).toHaveLength(30);
});
