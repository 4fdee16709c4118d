import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { agentNames } from '../contract/agent-name.ts';
import type { SourceKind } from '../contract/sources.ts';
import { readUuid } from '../contract/uuid.ts';
import { normalizeHost } from '../domain/host.ts';
import { Refusal } from '../domain/refusal.ts';
import { FileRefused, readTrustedFile } from './trusted-path.ts';

// Forms of settings: each reads a text, and says what is wrong without repeating it.

/** A value, or what is wrong with the text. */
type Result<T> = T | { readonly wrong: string };

export const matching =
  (form: RegExp, wrong: string) =>
  (text: string): Result<string> =>
    form.test(text) ? text : { wrong };
export const oneOf =
  <const T extends string>(values: readonly T[], hint = '') =>
  (text: string): Result<T> =>
    values.find(value => value === text) ?? { wrong: `must be one of ${values.join(', ')}${hint}` };
export const agentName = (text: string): Result<string> =>
  text.length <= agentNames.maxLength && agentNames.form.test(text)
    ? text
    : { wrong: `${agentNames.words}, at most ${agentNames.maxLength}` };
export const plainText = matching(/^[^\u0000-\u001f\u007f]{1,1000}$/, 'must be one line of text');
export const absolutePath = (text: string): Result<string> =>
  isAbsolute(text) && !text.includes('\0') ? text : { wrong: 'must be an absolute path' };
/** The text of a PEM file with certificates of authorities: who can change it can read keys and passwords on their way. */
export function authorities(file: string): Result<string> {
  if (!isAbsolute(file)) return { wrong: 'must be an absolute path' };
  try {
    const text = readTrustedFile(file).toString('utf8');
    // Throws for a file without a certificate.
    new X509Certificate(text);
    return text;
  } catch (error) {
    if (error instanceof FileRefused) return { wrong: error.message };
    const { code } = error as NodeJS.ErrnoException;
    const isOfSystem = code !== undefined && /^E[A-Z]+$/.test(code);
    return { wrong: isOfSystem ? `cannot be read (${code})` : 'must be a PEM file with certificates' };
  }
}

export const onOrOff = (text: string): Result<boolean> =>
  text === 'on' || text === 'true'
    ? true
    : text === 'off' || text === 'false'
      ? false
      : { wrong: 'must be on or off' };
export const uuid = (text: string): Result<string> =>
  readUuid(text) ?? { wrong: 'must be the ID of a source (a UUID)' };

export function network(text: string): Result<string> {
  const [address = '', bits = ''] = text.split('/');
  const version = isIP(address);
  const isFine = version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
  return isFine ? text : { wrong: 'must be a network such as 10.0.0.0/8' };
}

export const hostOf =
  (kind: SourceKind) =>
  (text: string): Result<string> => {
    try {
      return normalizeHost(kind, text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { wrong: error.details.fields?.[0]?.message ?? 'is not a host' };
    }
  };

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const serviceUrl =
  (allowsHttp: boolean) =>
  (text: string): Result<string> => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return { wrong: 'must be an https URL' };
    if (url.username || url.password || url.search || url.hash)
      return { wrong: 'must not contain a user, query or fragment' };
    if (url.protocol === 'http:' && !allowsHttp && !loopback.test(url.hostname)) {
      return {
        wrong: 'must be an https URL: the key is sent with each request (allow_http: true permits http)',
      };
    }
    const path = url.pathname.replace(/\/+$/, '');
    if (/\/(api|functions)\/v1(\/|$)/.test(path))
      return { wrong: 'must not include /api/v1 or /functions/v1' };
    return url.origin + path;
  };

export function proxyUrl(text: string): Result<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash)
    return { wrong: 'must be the URL of an HTTP proxy, such as http://proxy.internal:3128' };
  if (url.username || url.password)
    return { wrong: 'must not contain a user or password: set the environment variable HTTPS_PROXY instead' };
  return url.origin;
}

const units = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** A duration such as `90s`, `15m`, `6h` or `7d`, in seconds. */
export const durationBetween =
  (least: number, most: number) =>
  (text: string): Result<number> => {
    const [, number, unit] = /^(\d{1,6})\s?([smhd])$/.exec(text) ?? [];
    const seconds = number === undefined ? Number.NaN : Number(number) * units[unit as keyof typeof units];
    if (seconds >= least && seconds <= most) return seconds;
    return { wrong: `must be a duration from ${inWords(least)} to ${inWords(most)}, such as 15m or 6h` };
  };

function inWords(seconds: number): string {
  const [unit, length] = Object.entries(units).findLast(([, length]) => seconds % length === 0)!;
  return `${seconds / length}${unit}`;
}

const sizes = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 } as const;

/** A size such as `64 MB`, in bytes. */
export const sizeBetween =
  (least: number, most: number) =>
  (text: string): Result<number> => {
    const [, number, unit] = /^(\d{1,6})\s?([KMG]B)$/i.exec(text) ?? [];
    const bytes = Number(number) * sizes[unit?.toUpperCase() as keyof typeof sizes];
    if (bytes >= least && bytes <= most) return bytes;
    return { wrong: `must be a size from ${least / sizes.KB} KB to ${most / sizes.GB} GB, such as 64 MB` };
  };
