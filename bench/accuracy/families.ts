import type { Family } from './case.ts';
import { headersFamily } from './cases/headers.ts';
import { librariesFamily } from './cases/libraries.ts';

/** In the order of the report. */
export const families: readonly Family[] = [headersFamily, librariesFamily];
