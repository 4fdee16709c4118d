import './theme/mantine.css';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { queryClient } from './api/query-client.ts';
import { NotificationOutlet } from './components/notification-outlet.tsx';
import { basePath } from './deployment.ts';
import { reloadAfterUpgrade } from './reload-after-upgrade.ts';
import { AppRoutes } from './routes.tsx';
import { cssVariables } from './theme/colors.ts';
import { theme } from './theme/theme.ts';

/** The nonce that the content security policy of this response allows styles with. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// react-remove-scroll, which stops the page from scrolling behind a dialog, reads the nonce for its style from here.
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
      <NotificationOutlet />
      <QueryClientProvider client={queryClient}>
        <BrowserRouter basename={basePath}>
          <AppRoutes />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
