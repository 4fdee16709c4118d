import type { PlaceName } from '../../../src/detectors/remediation/places.ts';
import type { TestServer } from '../../support/website.ts';

/** The configuration of a website, by where it belongs. What is left out is the product's default. */
export type Configuration = Readonly<Partial<Record<PlaceName, string>>>;

/** What can be wrong with a certificate. */
export type Certificate =
  | 'good'
  | 'rsa'
  | 'short key'
  | 'old hash'
  | 'expired'
  | 'expiring'
  | 'not yet valid'
  | 'other name'
  | 'without issuer'
  | 'self-signed';

export interface Site {
  readonly configuration: Configuration;
  /** By path below the document root, besides `index.html`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Good, unless the configuration names another. */
  readonly certificate?: Certificate;
  /** The product serves HTTPS only if its configuration says so. */
  readonly isPlain?: true;
}

/** The name that the certificate of every site covers, and that stands for `example.com` in code. */
export const siteName = 'portal.clinic.com';

/** A product that serves websites. */
export interface WebProduct {
  /** As in the table of places. */
  readonly name: string;
  /** The program that serves, as Debian installs it. */
  readonly program: string;
  /** The version that is installed, such as `1.22.1`. */
  version(): Promise<string>;
  /** A configuration that adds headers to every response. @param headers by name, without double quotes */
  sending?(headers: Readonly<Record<string, string>>): Configuration;
  /** Serves the site over HTTPS and plain HTTP on one free loopback port: the first byte of a connection tells which is meant. */
  start(site: Site): Promise<TestServer>;
}
