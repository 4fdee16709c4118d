import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is as narrow as a phone. Known at the first render, so that nothing is rendered twice. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
