import { createRequire } from 'node:module';

/** This program's version, from its package. */
export const version: string = createRequire(import.meta.url)('../../package.json').version;

/** What a target's log shows of a scan. */
export const userAgent = `Parapet/${version} (+security posture scan)`;
