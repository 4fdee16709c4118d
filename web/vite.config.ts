import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: folder('.'),
  // Every address in the built page is relative: a proxy may serve it under any prefix.
  base: './',
  plugins: [react()],
  build: {
    outDir: folder('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // Small files too stay files: the page's policy allows no data: but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    // One person's browser loads the page once a release; what is in it is held by a test.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: folder('page.html') },
  },
});
