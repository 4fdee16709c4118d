import '@mantine/core/styles.css';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { queryClient } from './api/query-client.ts';
import { Said } from './components/said.tsx';
import { basePath } from './paths.ts';
import { reloadAfterUpgrade } from './reload-after-upgrade.ts';
import { AppRoutes } from './routes.tsx';
import { cssVariables, theme } from './theme/theme.ts';

/** The nonce under which this answer's policy lets styles in. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// What keeps the page from scrolling behind a dialog writes a style of its own, with the nonce that it finds here.
Object.assign(window, { __webpack_nonce__: nonce });

reloadAfterUpgrade();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => nonce}
    >
      <Said />
      <QueryClientProvider client={queryClient}>
        <BrowserRouter basename={basePath}>
          <AppRoutes />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
