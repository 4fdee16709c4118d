import { expect, it } from 'vitest';
import { clientAnswering } from '../../../test/support/answering-servers.ts';
import { home, response } from '../../detectors/website/hardened-evidence.ts';
import { probeReflection } from './reflection.ts';

async function reasonsOf(body: string): Promise<string[]> {
  const page = response(home, { headers: [['content-type', 'text/html']], body });
  const probes = await probeReflection(clientAnswering(page), page, null, undefined);
  return probes.flatMap(({ response }) => (response.assessed ? [] : [response.reason]));
}
const links = (count: number) =>
  Array.from({ length: count }, (_, index) => `<a href="/${index}?a=b">`).join('');
const parameters = (count: number) =>
  `<a href="/?${Array.from({ length: count }, (_, index) => `a${index}=b`).join('&amp;')}">`;

it('says which links of a page it does not ask for', async () => {
  // The page itself is one of 20 that are asked for.
  expect(await reasonsOf(links(19))).toEqual([]);
  expect(await reasonsOf(links(20))).toEqual([
    'The page has more links and forms with parameters than the scan asks for.',
  ]);
  expect(await reasonsOf(parameters(12))).toEqual([]);
  expect(await reasonsOf(parameters(13))).toEqual(['An address of the page has more than 12 parameters.']);
  expect(await reasonsOf('<a href="/?a=b">'.repeat(2_000))).toEqual([]);
  expect(await reasonsOf('<a href="/?a=b">'.repeat(2_001))).toEqual([
    'The page has more links with a query than the scan compares.',
  ]);
  expect(await reasonsOf(`<a href="/?a=${'b'.repeat(3_000)}">`)).toEqual([
    'The page links to addresses that are too long to ask for.',
  ]);
  expect(await reasonsOf(`<a href="/?a=${'b'.repeat(9_000)}">`)).toEqual([
    'The page has an address of more than 8192 characters, or 300 before its path.',
  ]);
});
