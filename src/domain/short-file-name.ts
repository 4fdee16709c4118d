/** File systems take 255 bytes of a name (NAME_MAX), and some that write it in another form of Unicode need room. */
const mostBytes = 200;

/**
 * A file name that file systems take: its beginning and its extension where it has too many bytes in UTF-8, and the name itself
 * otherwise. Cut between characters.
 */
export function shortFileName(name: string): string {
  if (Buffer.byteLength(name) <= mostBytes) return name;
  const extension = /\.[\x21-\x7e]{1,20}$/.exec(name)?.[0] ?? '';
  let room = mostBytes - Buffer.byteLength(extension);
  let stem = '';
  for (const character of name) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  // Windows takes no name that ends so.
  return (stem + extension).replace(/[. ]$/, '_');
}
