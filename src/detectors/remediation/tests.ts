import apache from './tested/apache.json' with { type: 'json' };
import caddy from './tested/caddy.json' with { type: 'json' };
import express from './tested/express.json' with { type: 'json' };
import nginx from './tested/nginx.json' with { type: 'json' };
import parsers from './tested/parsers.json' with { type: 'json' };

/** What the tests of fixes have shown for a product. */
export interface TestedProduct {
  readonly version: string;
  /** Steps that made the finding resolve, as `check place`. */
  readonly proven: readonly string[];
}

/** By product, as in the table of places. */
export const tests: Readonly<Record<string, TestedProduct>> = {
  nginx,
  Apache: apache,
  Caddy: caddy,
  Express: express,
};

/** Versions of the programs that parsed the code of every step in the tests, by name. */
export const parserVersions: Readonly<Record<string, string>> = parsers;
