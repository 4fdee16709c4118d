import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import type http from 'node:http';
import { extname, isAbsolute, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { goodHeaders } from '../../../test/support/hardened-site.ts';
import { policyFor } from './policy.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

const missing =
  '<!doctype html><html lang="en"><title>Not found</title><h1>Not found</h1><p>There is no such page.';

interface Served {
  /** What is unpacked: absolute links lead below it. */
  readonly root: string;
  readonly folder: string;
  /** The page that answers where no file is, as hosts of single-page applications have it. */
  readonly otherwise?: string;
}

/** Serves files with the headers of the hardened site and a policy that fits each page. */
export function serve({ root, folder, otherwise }: Served): http.RequestListener {
  const base = join(root, folder);
  return (request, response) => {
    const answer = (
      status: number,
      type: string,
      body: Buffer | string,
      more: http.OutgoingHttpHeaders = {},
    ) => {
      const policy = type.startsWith('text/html') ? policyFor(String(body)) : undefined;
      response.writeHead(status, {
        ...goodHeaders,
        ...(policy === undefined ? {} : { 'content-security-policy': policy }),
        'content-type': type,
        ...more,
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(405, 'text/plain; charset=utf-8', 'Method not allowed', { allow: 'GET, HEAD' });
    const path = pathOf(request.url ?? '/');
    const found = path === undefined ? undefined : fileAt(root, join(base, path));
    if (found === 'folder') {
      if (!path!.endsWith('/'))
        return answer(301, 'text/html; charset=utf-8', '', { location: `${encodeURI(path!)}/` });
      const index = fileAt(root, join(base, path!, 'index.html'));
      if (index instanceof Buffer) return answer(200, types['.html']!, index);
    }
    if (found instanceof Buffer)
      return answer(200, types[extname(path!).toLowerCase()] ?? 'application/octet-stream', found);
    const page = otherwise === undefined ? undefined : fileAt(root, join(base, otherwise));
    if (page instanceof Buffer) return answer(200, types['.html']!, page);
    return answer(404, 'text/html; charset=utf-8', missing);
  };
}

/** Undefined for a path outside of the site, and for programs that a server would run and not send. */
function pathOf(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*/s, ''));
    return /\0|(?:^|\/)\.\.(?:\/|$)|\.php$/.test(path) ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The content of a file, of its compressed form if only that is shipped, or that it is a folder. */
function fileAt(root: string, path: string): Buffer | 'folder' | undefined {
  const real = realPath(root, path);
  if (real !== undefined) return statSync(real).isDirectory() ? 'folder' : readFileSync(real);
  const compressed = realPath(root, `${path}.gz`);
  return compressed === undefined ? undefined : gunzipSync(readFileSync(compressed));
}

/** Follows links; those of Debian's packages may name a file of another package by its absolute path. */
function realPath(root: string, path: string): string | undefined {
  try {
    const link = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
    if (link !== undefined && isAbsolute(link)) return realPath(root, join(root, link));
    const real = realpathSync(path);
    return relative(realpathSync(root), real).startsWith('..') ? undefined : real;
  } catch {
    return undefined;
  }
}
