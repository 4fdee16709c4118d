import type { WebsiteCapture } from '../../../captures/website.ts';

/** What development servers add to the scripts of a page, as their own code writes it. */
const bundles: readonly (readonly [what: string, marks: readonly string[]])[] = [
  ['webpack’s development server', ['webpack-dev-server/client/index.js?protocol=']],
  ['Parcel’s development server', ['HMR_HOST', 'HMR_ENV_HASH']],
  ['esbuild’s development server', ['new EventSource("/esbuild")']],
  ['a development server of Next.js', ['/_next/webpack-hmr', 'on-demand-entries-client']],
];

/** The development server that the scripts of the page connect to; null if none. */
export function developmentServerIn({ scripts }: Pick<WebsiteCapture, 'scripts'>): string | null {
  if (!scripts.assessed) return null;
  for (const { response } of scripts.value) {
    if (!response.assessed) continue;
    const { body } = response.value;
    const [what] = bundles.find(([, marks]) => marks.every(mark => body.includes(mark))) ?? [];
    if (what !== undefined) return what;
  }
  return null;
}

/** Whether every script was read completely. */
export const areScriptsRead = ({ scripts }: Pick<WebsiteCapture, 'scripts'>): boolean =>
  scripts.assessed &&
  scripts.value.every(
    ({ response }) =>
      response.assessed && response.value.body_unread === null && !response.value.body_truncated,
  );
