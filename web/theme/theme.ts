import {
  type BadgeProps,
  type ButtonProps,
  createTheme,
  type DrawerProps,
  type MenuProps,
  type ModalProps,
  type TooltipProps,
} from '@mantine/core';
import { dark, gray, ink } from './colors.ts';

const system =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Open Sans", "Helvetica Neue", Arial, sans-serif';
const monospace =
  'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

const closeButtonProps = { 'aria-label': 'Close' };

/** Dense and calm: 14 px text, small radii, and color only where it carries meaning. */
export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: 6,
  colors: { ink, gray, dark },
  black: '#161b22',
  fontFamily: system,
  fontFamilyMonospace: monospace,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontFamily: system,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h4: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  // By name, since importing a component for its defaults would load it before it is needed.
  components: {
    Badge: { defaultProps: { radius: 'sm', variant: 'light', tt: 'none' } satisfies BadgeProps },
    Button: {
      defaultProps: { size: 'sm' } satisfies ButtonProps,
      // Long labels, such as an organization's name, wrap to a second line instead of being cut off.
      styles: {
        root: {
          display: 'inline-flex',
          alignItems: 'center',
          height: 'auto',
          minHeight: 'var(--button-height)',
          paddingBlock: 2,
        },
        inner: { width: '100%', minWidth: 0, height: 'auto' },
        label: { height: 'auto', whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.3 },
      },
    },
    Drawer: {
      defaultProps: { position: 'right', size: 'xl', closeButtonProps } satisfies Partial<DrawerProps>,
    },
    // The header of a dialog is not a banner landmark of the page.
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // The placeholder would be a child of the menu that is not a menu item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } satisfies MenuProps },
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Modal: {
      defaultProps: {
        centered: true,
        // Without an exit transition, since the object of the dialog may already be gone.
        transitionProps: { duration: 120, exitDuration: 0 },
        closeButtonProps,
      } satisfies Partial<ModalProps>,
    },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } satisfies Partial<TooltipProps> },
  },
});
