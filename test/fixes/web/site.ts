import type { PlaceName } from '../../../src/detectors/remediation/places.ts';
import type { TestServer } from '../../support/website.ts';

/** The configuration of a website, by place. Omitted parts have the product's default. */
export type Configuration = Readonly<Partial<Record<PlaceName, string>>>;

/** Flaws of certificates. */
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
  /** Further files besides `index.html`, by path below the document root. */
  readonly files?: Readonly<Record<string, string>>;
  /** The site's certificate, unless the configuration names another. Good by default. */
  readonly certificate?: Certificate;
  /** The product serves HTTPS only if its configuration contains it. */
  readonly isPlain?: true;
}

/** The hostname in every site's certificate, which replaces `example.com` in code. */
export const siteName = 'portal.clinic.com';

/** A product that serves websites. */
export interface WebProduct {
  /** Its name in the table of places. */
  readonly name: string;
  /** The server program, as installed by Debian. */
  readonly program: string;
  /** The installed version, such as `1.22.1`. */
  version(): Promise<string>;
  /** A configuration that adds headers to every response. @param headers by name, without double quotes */
  sending?(headers: Readonly<Record<string, string>>): Configuration;
  /**
   * Serves the site over HTTPS and plain HTTP on one free loopback port: the first byte of a connection
   * decides which.
   */
  start(site: Site): Promise<TestServer>;
}
