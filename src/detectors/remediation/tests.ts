import apache from './tested/apache.json' with { type: 'json' };
import caddy from './tested/caddy.json' with { type: 'json' };
import dns from './tested/dns.json' with { type: 'json' };
import express from './tested/express.json' with { type: 'json' };
import html from './tested/html.json' with { type: 'json' };
import mariadb from './tested/mariadb.json' with { type: 'json' };
import nginx from './tested/nginx.json' with { type: 'json' };
import node from './tested/node-js.json' with { type: 'json' };
import parsers from './tested/parsers.json' with { type: 'json' };
import postgres from './tested/postgres.json' with { type: 'json' };
import redis from './tested/redis.json' with { type: 'json' };

/**
 * Steps that resolved the finding in tests, by `check place`, with the product's versions. Empty for products
 * without versions, such as HTML.
 */
export type ProvenSteps = Readonly<Record<string, string>>;

export const provenSteps: ProvenSteps = {
  ...nginx,
  ...apache,
  ...caddy,
  ...express,
  ...node,
  ...html,
  ...dns,
  ...mariadb,
  ...postgres,
  ...redis,
};

/** Versions of the programs that parsed the code of every step in tests, by name. */
export const parserVersions: Readonly<Record<string, string>> = parsers;
