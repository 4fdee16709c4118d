/** Features with which a page can observe its visitor, or act for them (Permissions Policy registry). */
const powerful: ReadonlySet<string> = new Set([
  ...['bluetooth', 'camera', 'captured-surface-control', 'clipboard-read', 'display-capture', 'geolocation'],
  ...[
    'hid',
    'identity-credentials-get',
    'idle-detection',
    'keyboard-map',
    'local-fonts',
    'microphone',
    'midi',
  ],
  ...['otp-credentials', 'payment', 'publickey-credentials-create', 'publickey-credentials-get', 'serial'],
  ...['speaker-selection', 'usb', 'window-management', 'xr-spatial-tracking'],
]);

export interface PermissionsPolicy {
  /** Powerful features that every origin may use. */
  readonly open: readonly string[];
}

const key = /[a-z*][a-z0-9_.*-]{0,80}/y;
/** Items of a structured field (RFC 9651, 3.3) in which allow lists are written. */
const item =
  /"(?:[^"\\\x00-\x1f\x7f]|\\["\\]){0,2000}"|[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,200}|-?\d{1,15}(?:\.\d{1,3})?|\?[01]/y;
const parameters =
  /(?:; {0,9}[a-z*][a-z0-9_.*-]{0,80}(?:=(?:"[^"\\\x00-\x1f\x7f]{0,500}"|[A-Za-z*][\w.:/-]{0,200}|\d{1,15}))?){0,20}/y;

/**
 * Parses a Permissions-Policy header as browsers do (Permissions Policy, 5.2): a dictionary of structured fields. One error makes all of
 * it ineffective, such as the syntax of the older Feature-Policy.
 *
 * @param value of all fields, joined with commas
 * @returns null if browsers ignore it
 */
export function parsePermissionsPolicy(value: string): PermissionsPolicy | null {
  const reader = new Reader(value.trim());
  const lists = new Map<string, readonly string[]>();
  while (!reader.isAtEnd) {
    const feature = reader.take(key);
    if (feature === null) return null;
    const list = reader.take(/=/y) === null ? [] : reader.list();
    if (list === null || reader.take(parameters) === null) return null;
    // Of a repeated feature, the last list counts (RFC 9651, 4.2.2).
    lists.set(feature, list);
    reader.take(/[ \t]{0,50}/y);
    if (reader.isAtEnd) break;
    if (reader.take(/,[ \t]{0,50}/y) === null || reader.isAtEnd) return null;
  }
  return {
    open: [...lists].filter(([name, list]) => powerful.has(name) && list.includes('*')).map(([name]) => name),
  };
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at = pattern.lastIndex;
    return match[0];
  }

  /** One item, or several in parentheses; null for anything else. */
  list(): string[] | null {
    if (this.take(/\( {0,50}/y) === null) {
      const only = this.take(item);
      return only === null ? null : [only];
    }
    const items: string[] = [];
    while (this.take(/\)/y) === null) {
      const one = this.take(item);
      if (one === null || this.take(parameters) === null) return null;
      items.push(one);
      // Items are separated by spaces.
      if (this.take(/ {1,50}(?=\S)|(?=\))| {1,50}/y) === null) return null;
    }
    return items;
  }
}
