import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core';

/** Shades 6 and 7 have at least 4.5:1 on white, 3 and 4 on the dark backgrounds. */
export const ink: MantineColorsTuple = [
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

/** Slightly blue, so that neutral surfaces and the primary color match. */
export const gray: MantineColorsTuple = [
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

export const dark: MantineColorsTuple = [
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

/** All text, dimmed text included, has a contrast of at least 4.5:1 in both color schemes. */
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
    '--mantine-color-ink-light-hover': '#dce1fa',
    '--mantine-color-red-light-color': '#9b1030',
    '--mantine-color-orange-light-color': '#8f3408',
    '--mantine-color-yellow-light-color': '#6b4b00',
    '--mantine-color-teal-light-color': '#0b5a43',
    '--mantine-color-green-light-color': '#1c5a24',
    '--mantine-color-blue-light-color': '#1c4f8a',
    '--mantine-color-gray-light-color': '#4a5361',
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
  },
});
