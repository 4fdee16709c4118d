/** Maximum CBOR entries after the fixed parts: a key has five, and authenticator extensions have a few. */
const mostEntries = 64;

/** Bytes of the relying party hash, the flags and the counter; and of the fields before a credential id. */
const fixedBytes = 37;
const bytesBeforeId = fixedBytes + 18;

const hasCredential = 0x40;

/**
 * Whether authenticator data (WebAuthn Level 3, section 6.1) has no more entries than ordinary keys and extensions. Libraries
 * decode each entry several times on the event loop: 256 KiB of the smallest ones blocked it for more than a second.
 */
export function isOrdinary(data: Uint8Array): boolean {
  const hasKey = ((data[fixedBytes - 5] ?? 0) & hasCredential) !== 0;
  const idLength = (data[bytesBeforeId - 2] ?? 0) * 256 + (data[bytesBeforeId - 1] ?? 0);
  return hasFewEntries(data.subarray(hasKey ? bytesBeforeId + idLength : fixedBytes));
}

/** Whether CBOR (RFC 8949) has few entries, including nested ones. Reads only their heads, valid or not. */
export function hasFewEntries(bytes: Uint8Array): boolean {
  let at = 0;
  for (let entries = 0; at < bytes.length; entries += 1) {
    if (entries === mostEntries) return false;
    const head = bytes[at]!;
    const [kind, info] = [head >> 5, head & 0x1f];
    at += 1;
    let value = info;
    if (info >= 24) {
      const width = info < 28 ? 2 ** (info - 24) : 0;
      value = bytes.subarray(at, at + width).reduce((sum, byte) => sum * 256 + byte, 0);
      at += width;
    }
    const isString = kind === 2 || kind === 3;
    if (isString) at += value;
  }
  return true;
}
