/**
 * The address of a file of this installation. This module, and dist/main with the programs that contain it, are two folders below
 * package.json.
 *
 * @param path from the folder of package.json
 */
export function installedFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
