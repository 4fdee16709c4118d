import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const later =
  /floating-ui|remove-scroll|charts|web\/later\/[a-z]+\.ts$|@mantine\/core\/.*\/(Popover|Menu|ModalBase|Modal|Drawer|Tooltip|ScrollArea|Select|MultiSelect|FocusTrap|Combobox|Portal|Overlay|Pill|PillsInput|Tabs)\//;
const isShared = (path: string) => !later.test(path) && !/-(page|dialog)\.tsx$/.test(path);

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
    rolldownOptions: {
      input: folder('page.html'),
      output: {
        // Few files, since each may cost a round trip: one of what several pages share, without what loads after them.
        codeSplitting: {
          groups: [{ name: 'shared', minShareCount: 6, test: isShared }],
        },
      },
    },
  },
});
