/** The server product, according to INFO. */
export interface RedisProduct {
  /** `other`: speaks the protocol, with version numbers of its own. */
  readonly family: 'redis' | 'valkey' | 'other';
  readonly name: string;
  /** As the product spells it; empty if unknown. */
  readonly version: string;
  /** Numbers of the release of Redis with which it is compatible. */
  readonly compatible: readonly number[];
  /** Who includes fixes under their own version numbers; null if unknown. */
  readonly fixedBy: string | null;
}

/**
 * @param info fields of INFO. Valkey has `server_name` and `valkey_version`, and reports the compatible release in
 * `redis_version`: https://github.com/valkey-io/valkey/blob/7.2/00-RELEASENOTES
 */
export function productOf(info: Readonly<Record<string, string>>): RedisProduct {
  const compatible = numbersOf(info.redis_version ?? '');
  const { family, name, version } = madeBy(info);
  return { family, name, version, compatible, fixedBy: fixerOf(info) };
}

type Maker = Pick<RedisProduct, 'family' | 'name' | 'version'>;

function madeBy(info: Readonly<Record<string, string>>): Maker {
  if (info.dragonfly_version !== undefined)
    return { family: 'other', name: 'Dragonfly', version: info.dragonfly_version };
  if (/keydb/i.test(info.executable ?? ''))
    return { family: 'other', name: 'KeyDB', version: info.redis_version ?? '' };
  if (info.valkey_version !== undefined || info.server_name === 'valkey')
    return { family: 'valkey', name: 'Valkey', version: info.valkey_version ?? '' };
  return { family: 'redis', name: 'Redis', version: info.redis_version ?? '' };
}

function fixerOf({
  os = '',
  executable = '',
  rlec_version,
}: Readonly<Record<string, string>>): string | null {
  if (/^Amazon (?:ElastiCache|MemoryDB)$/i.test(os)) return os;
  if (rlec_version !== undefined) return 'Redis Software';
  // Packages install to these folders. Container images and own builds do not.
  if (/^\/usr\/s?bin\/[a-z-]{1,40}$/.test(executable)) return 'a distribution';
  // A server that is started by its name reports the folder in which it was started: in official images, that is /data.
  const [, folder = ''] = /^(.{0,300}\/)(?:redis|valkey)-server$/.exec(executable) ?? [];
  const isOwn = folder === '/data/' || /\/(?:opt|local|src|build|home|bin)\//.test(folder);
  return folder === '' || isOwn ? null : 'a distribution';
}

export function numbersOf(version: string): readonly number[] {
  const [digits = ''] = /^\d{1,6}(?:\.\d{1,6}){0,3}/.exec(version) ?? [];
  return digits === '' ? [] : digits.split('.').map(Number);
}
