/** Below NAME_MAX (255 bytes), with room for file systems that normalize Unicode. */
const mostBytes = 200;

/** Shortens a file name to its maximum length in UTF-8, between characters and before its extension. */
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
  // Windows does not support names that end with a dot or space.
  return (stem + extension).replace(/[. ]$/, '_');
}
