import {
  type BadgeProps,
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type DrawerProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalProps,
  type TableProps,
  type TooltipProps,
} from '@mantine/core';

/** Shades 6 and 7 have at least 4.5:1 on white, 3 and 4 on the dark backgrounds. */
const ink: MantineColorsTuple = [
  '#eef1fd',
  '#dce1fa',
  '#b9c3f5',
  '#98a6f0',
  '#7b8bea',
  '#5f70e2',
  '#4356d6',
  '#3646b8',
  '#2c3a98',
  '#222d78',
];

/** Slightly blue, so that neutral surfaces and the primary colour belong together. */
const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#f0f2f5',
  '#e4e7ec',
  '#d5dae1',
  '#bcc3cd',
  '#9aa3b0',
  '#646e7d',
  '#4a5361',
  '#323a46',
  '#1d232c',
];

const dark: MantineColorsTuple = [
  '#d6dae1',
  '#b4bac5',
  '#98a1af',
  '#6b7482',
  '#3b4350',
  '#2b323d',
  '#20262f',
  '#171b22',
  '#11151a',
  '#0b0e12',
];

const system =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Open Sans", "Helvetica Neue", Arial, sans-serif';
const monospace =
  'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

const closeButtonProps = { 'aria-label': 'Close' };

/** Dense and calm: 14 px text, small radii, colour only where it says something. */
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
  // By their names: importing a component for its defaults would load it before it is needed.
  components: {
    Badge: { defaultProps: { radius: 'sm', variant: 'light', tt: 'none' } satisfies BadgeProps },
    Button: {
      defaultProps: { size: 'sm' } satisfies ButtonProps,
      // A long label, such as an organization's name, takes a second line: Mantine would cut it off.
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
    // A header of a dialog is no banner of the page.
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // It would be a child of the menu that is no item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } satisfies MenuProps },
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Modal: {
      defaultProps: {
        centered: true,
        // Closed at once: what a dialog is about may be gone by then.
        transitionProps: { duration: 120, exitDuration: 0 },
        closeButtonProps,
      } satisfies Partial<ModalProps>,
    },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } satisfies TableProps },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } satisfies Partial<TooltipProps> },
  },
});

/** Texts that are quieter than the rest still have 4.5:1, in either scheme. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--severity-critical': '#b3123b',
    '--severity-high': '#b8460b',
    '--severity-medium': '#8a6100',
    '--severity-low': '#1c6a9e',
    '--severity-info': '#5b6675',
    '--good': '#17714a',
  },
  light: {
    '--mantine-color-dimmed': '#5b6573',
    '--mantine-color-anchor': '#3646b8',
    '--mantine-color-error': '#b3123b',
    '--mantine-color-ink-light': '#e9ecfb',
    '--mantine-color-ink-light-color': '#3646b8',
    '--mantine-color-red-light-color': '#9b1030',
    '--mantine-color-orange-light-color': '#8f3408',
    '--mantine-color-yellow-light-color': '#6b4b00',
    '--mantine-color-teal-light-color': '#0b5a43',
    '--mantine-color-green-light-color': '#1c5a24',
    '--mantine-color-blue-light-color': '#1c4f8a',
    '--mantine-color-gray-light-color': '#4a5361',
    '--surface': '#ffffff',
    '--canvas': '#f7f8fa',
    '--line': '#e0e4ea',
  },
  dark: {
    '--mantine-color-dimmed': '#98a1af',
    '--mantine-color-anchor': '#a3b0f3',
    '--mantine-color-error': '#ff8fa6',
    '--mantine-color-body': '#171b22',
    '--mantine-color-ink-light': '#252c4a',
    '--mantine-color-ink-light-color': '#c3cbf7',
    '--severity-critical': '#ff7d98',
    '--severity-high': '#ff9c66',
    '--severity-medium': '#e8bd4f',
    '--severity-low': '#73b9ea',
    '--severity-info': '#a3adba',
    '--good': '#5ecb97',
    '--surface': '#171b22',
    '--canvas': '#11151a',
    '--line': '#2b323d',
  },
});
