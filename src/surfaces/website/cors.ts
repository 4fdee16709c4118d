import { randomBytes } from 'node:crypto';
import type { CorsProbe } from '../../captures/website.ts';
import { parseHost } from '../connection/address.ts';
import { assess } from './failure.ts';
import type { HttpClient } from './http-client.ts';
import { type OriginHeaders, requestFor } from './navigate.ts';

const readBytes = 64 * 1024;
/** Enough to distinguish the page from others by its title. */
const keepBytes = 16 * 1024;

/**
 * Requests the page as scripts of other sites would. Headers of ordinary responses do not show servers that copy the
 * Origin header into their permission, since they do so only if there is one.
 */
export async function probeCors(
  client: HttpClient,
  page: URL,
  credential: OriginHeaders | null,
): Promise<CorsProbe[]> {
  // `.example` is reserved (RFC 2606), so no list of allowed origins contains this one by accident.
  const foreign = `https://${randomBytes(6).toString('hex')}.example`;
  const isName = parseHost(page.hostname)?.kind === 'name';
  const probes: CorsProbe[] = [];
  const origins: [CorsProbe['origin_kind'], string][] = [
    ['foreign', foreign],
    // Servers that compare only the beginning allow this one. IP addresses cannot be part of a name.
    ...(isName
      ? [
          ['lookalike', `https://${page.hostname}.${foreign.slice('https://'.length)}`] satisfies [
            CorsProbe['origin_kind'],
            string,
          ],
        ]
      : []),
    ['null', 'null'],
  ];
  for (const [origin_kind, origin] of origins) {
    const { headers, requireTrusted } = requestFor(page, credential);
    const response = await assess(
      client.request(page, {
        depth: 'safe',
        headers: { ...headers, origin },
        requireTrusted,
        readLimit: readBytes,
        keepLimit: keepBytes,
        encoding: 'latin1',
      }),
    );
    probes.push({ origin_kind, origin, response });
  }
  return probes;
}
