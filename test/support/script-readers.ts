import type { HttpResponse } from '../../src/captures/website.ts';
import { home, response } from '../../src/detectors/website/hardened-capture.ts';
import { ImportMap } from '../../src/surfaces/website/import-map.ts';
import { scriptsOfPage } from '../../src/surfaces/website/page-scripts.ts';
import { referencesIn } from '../../src/surfaces/website/script-references.ts';
import { originalsOf } from '../../src/surfaces/website/source-map.ts';

type SizedReader = (size: number) => () => unknown;

const mapElement = (imports: string) => `<script type=importmap>{"imports":{${imports}}}</script>`;

const pageReader =
  (bodyOf: (size: number) => string, url = home): SizedReader =>
  size => {
    const page: HttpResponse = response(url, {
      headers: [['content-type', 'text/html']],
      body: bodyOf(size),
    });
    return () => scriptsOfPage(page);
  };

const many = (count: number, of: (index: number) => string) =>
  Array.from({ length: Math.ceil(count) }, (_, index) => of(index)).join('');

const longFolder = `${home}${'a/'.repeat(4_000)}`;

/** Readers of what a page and its scripts name, by their size in bytes. */
export const scriptSizedReaders: Readonly<Record<string, SizedReader>> = {
  'many import maps': pageReader(size => many(size / 60, index => mapElement(`"${index}/":"/"`))),
  'many import maps without entries': pageReader(size => mapElement('').repeat(size / 50)),
  'prefixes of import maps and modules': pageReader(
    size =>
      many(2, map => mapElement(`${many(999, index => `"p${map}-${index}/":"/",`)}"z":"/"`)) +
      `<script>${many(size / 16, index => `from"a${index}/b/c";`)}`,
  ),
  'long prefixes of import maps': pageReader(
    size =>
      mapElement(`${many(999, index => `"${'a/'.repeat(index)}":"/",`)}"z":"/"`) +
      `<script>${many(size / 2_000, index => `from"${'a/'.repeat(990)}${index}";`)}`,
  ),
  'modules of a page with a long URL': pageReader(
    size => `<script>${many(size / 14, index => `from"./${index}";`)}`,
    longFolder,
  ),
  'modules of a script with a long URL': size => {
    const text = many(size / 34, index => `from"./${index}";"aa/b${index}.js";`);
    return () => {
      // The scripts of a page share what is resolved for them.
      const imports = new ImportMap();
      for (let script = 0; script < 40; script++)
        referencesIn(text.slice(0, text.length / 8), new URL(`${longFolder}${script}.js`), imports);
    };
  },
  'the same module again and again': size => {
    const text = 'from"./a";'.repeat(size / 10);
    return () => referencesIn(text, new URL(`${longFolder}x.js`), new ImportMap());
  },
  'a source map of empty objects': size => {
    const text = `{"version":3,"sources":[${'{},'.repeat(size / 3)}{}]}`;
    return () => originalsOf(text);
  },
  'a source map of many files': size => {
    const files = Math.floor(size / 12);
    const text = `{"version":3,"sources":[${'"a",'.repeat(files)}""],"sourcesContent":[${'"b",'.repeat(files)}""]}`;
    return () => originalsOf(text);
  },
};
