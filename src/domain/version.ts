import { readFileSync } from 'node:fs';
import { installedFile } from './installed-file.ts';

/** Of this release, as npm writes it. */
export const version: string = JSON.parse(readFileSync(installedFile('package.json'), 'utf8')).version;
