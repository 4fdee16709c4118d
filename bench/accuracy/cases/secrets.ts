import type { Family } from '../case.ts';
import { secretlint } from '../specialists/secretlint.ts';
import { document, websiteCase } from '../website-case.ts';
import { leaks } from './secrets/leaked.ts';
import { accessLeaks } from './secrets/leaked-access.ts';
import { publicTexts } from './secrets/public.ts';

/** Code of an application around a text. */
const around = (text: string) =>
  `function a(e){return e&&e.__esModule?e.default:e}${'var n=Object.assign({},t);'.repeat(20)}/*${text.length}*/`;

/** A text as bundlers and frameworks publish it: in a chunk, a module, the data of a page, or an inline script. */
const wrappings: readonly ((text: string) => { readonly script?: string; readonly page?: string })[] = [
  text => ({
    script: `(self.webpackChunkportal=self.webpackChunkportal||[]).push([[179],{412:(e,t,n)=>{"use strict";${around(text)};const o=\n${text}\n;n.d(t,{Z:()=>o})}}]);`,
  }),
  text => ({ script: `import{r as e}from"./vendor.js";${around(text)}\n${text}\nexport{n as default};` }),
  text => ({ page: `<script>window.__CONFIG__=(function(){${around(text)}\n${text}\n})()</script>` }),
];

function siteWith(text: string, at: number) {
  const { script, page } = wrappings[at % wrappings.length]!(text);
  return script === undefined
    ? { '/': document('', page ?? '') }
    : {
        '/': document(
          '<script type="module" src="/assets/index-BxYz12.js"></script>',
          '<div id="root">Portal</div>',
        ),
        '/assets/index-BxYz12.js': script,
        '/assets/vendor.js': 'export const r=1;',
      };
}

export const secretsFamily: Family = {
  name: 'secrets',
  specialists: [secretlint],
  cases: [
    ...[...leaks, ...accessLeaks].map(([name, flaw, code], at) =>
      websiteCase({ name, flaws: [flaw], answers: siteWith(code, at), material: code }),
    ),
    // Markup and documentation are in pages, the rest in scripts.
    ...publicTexts.map(([name, code], at) =>
      websiteCase({
        name: `public: ${name}`,
        flaws: [],
        // Analytics that a clinic should not have.
        also: ['hipaa.tracker', 'hipaa.tracker_in_script'],
        answers: code.startsWith('<') ? { '/': document('', code) } : siteWith(code, at),
        material: code,
      }),
    ),
  ],
};
