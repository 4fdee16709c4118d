import type { Plugin } from 'vite';
import { bundledPackages } from './bundled-packages.ts';

/**
 * Lists the packages in the pages for the bill of materials. Style sheets are in no chunk, so they count as
 * soon as they are loaded.
 */
export const listPackages: Plugin = {
  name: 'list-packages',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(output => output.type === 'chunk');
    const modules = chunks.flatMap(chunk => Object.entries(chunk.modules));
    const written = modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => id);
    const styles = [...this.getModuleIds()].filter(id => /\.css(\?|$)/.test(id));
    const source = `${JSON.stringify(bundledPackages([...written, ...styles]), null, 2)}\n`;
    this.emitFile({ type: 'asset', fileName: '.vite/packages.json', source });
  },
};
