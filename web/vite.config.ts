import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: folder('.'),
  // URLs in the built page are relative, since a proxy may serve it under any prefix.
  base: './',
  plugins: [react()],
  build: {
    outDir: folder('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // Small files stay files too: the content security policy allows data: URLs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    // A test limits how much JavaScript loads before a page is shown.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: folder('page.html') },
  },
});
