/**
 * URL of a file of this installation. Both this module and the bundled programs in dist/main are two folders below package.json.
 *
 * @param path relative to package.json
 */
export function installedFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
