import type { Specialist } from '../case.ts';
import { installed } from './install.ts';

const packages = ['@secretlint/core@13.1.0', '@secretlint/secretlint-rule-preset-recommend@13.1.0'];
const module = `import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] };
export const messagesOf = async content =>
  (await lintSource({ source: { filePath: '/app.js', content, ext: '.js', contentType: 'text' }, options: { config } })).messages;
`;

/** With its recommended rules. */
export const secretlint: Specialist = {
  name: 'secretlint 13.1.0',
  judge: async texts => {
    const { messagesOf } = await installed<{ messagesOf(content: string): Promise<readonly unknown[]> }>(
      packages,
      module,
    );
    return Promise.all(texts.map(async text => (await messagesOf(text)).length > 0));
  },
};
