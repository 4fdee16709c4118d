import { node } from './node.ts';
import type { WebProduct } from './site.ts';

/** A page on a server that does not change it. */
export const html: WebProduct = {
  name: 'HTML',
  program: process.execPath,
  version: () => Promise.resolve(''),
  start: ({ configuration, ...site }) => {
    const content = configuration['html.page'] ?? '';
    const page = `<!doctype html><html lang="en"><head><title>Portal</title></head><body>\n${content}\n</body></html>\n`;
    return node.start({ ...site, configuration: {}, files: { 'index.html': page } });
  },
};

/** A site with DNS records of its domain. */
export const dns: WebProduct = {
  name: 'DNS',
  program: '/usr/bin/named-compilezone',
  version: () => Promise.resolve(''),
  start: ({ configuration, ...site }) => node.start({ ...site, configuration: {} }),
};
