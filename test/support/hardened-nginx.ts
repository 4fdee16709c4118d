import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NameAnswer, NameRecord } from './name-server.ts';
import { bothProtocols, freePort, nginxTemporary, runNginx, type TestServer } from './website.ts';

const example = fileURLToPath(new URL('../../examples/hardened-nginx', import.meta.url));

/** Files that were copied next to the pages by mistake; the configuration must not serve them. */
const forgotten = {
  '.env': 'DB_PASSWORD=hunter2\n',
  '.git/config': '[core]\n\tbare = false\n',
  '.DS_Store': '\0\0\0\x01Bud1',
  'backup.sql': 'CREATE TABLE patients (id int);\n',
  'server.key': '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
  'assets/clinic.js.map': '{"version":3,"sources":["clinic.ts"],"mappings":"AAAA"}',
};

/**
 * The website of examples/hardened-nginx, run by nginx. Ports, the certificate and file locations are the test's. HTTPS
 * and plain HTTP share one port, since a source has only one: the first byte distinguishes them.
 *
 * @param certificate for `www.example.com`
 */
export async function startHardenedNginx(certificate: {
  readonly chain: string;
  readonly key: string;
}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hardened-nginx-'));
  const [https, http] = [await freePort(), await freePort()];
  const front = await bothProtocols();
  front.leadTo({ https, http });
  const placed = async (name: string, changes: Readonly<Record<string, string>>) => {
    let text = await readFile(join(example, name), 'utf8');
    for (const [here, there] of Object.entries(changes)) {
      if (!text.includes(here)) throw new Error(`${name} of the example has no ${here}.`);
      text = text.replaceAll(here, there);
    }
    await writeFile(join(folder, name), text);
  };
  await placed('nginx.conf', {
    '/run/nginx.pid': `${folder}/nginx.pid`,
    '/var/log/nginx/': `${folder}/`,
    '/etc/nginx/conf.d/*.conf': `${folder}/clinic.conf`,
    'http {': `http { ${nginxTemporary(folder)}`,
  });
  await placed('clinic.conf', {
    'listen 443': `listen 127.0.0.1:${https}`,
    'listen 80': `listen 127.0.0.1:${http}`,
    'https://$server_name': `https://$server_name:${front.port}`,
    '/var/www/clinic': `${folder}/html`,
    '/etc/letsencrypt/live/www.example.com/': `${folder}/`,
    '/etc/nginx/clinic-headers.conf': `${folder}/clinic-headers.conf`,
  });
  await placed('clinic-headers.conf', {});
  await cp(join(example, 'html'), join(folder, 'html'), { recursive: true });
  for (const [path, content] of Object.entries(forgotten)) {
    await mkdir(dirname(join(folder, 'html', path)), { recursive: true });
    await writeFile(join(folder, 'html', path), content);
  }
  await writeFile(join(folder, 'fullchain.pem'), certificate.chain);
  await writeFile(join(folder, 'privkey.pem'), certificate.key);
  const nginx = await runNginx(folder, https, 'daemon off; master_process off;');
  return {
    port: front.port,
    close: async () => {
      await front.close();
      await nginx.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The answers of a name server with the example's records, in a signed zone. */
export async function hardenedRecords(): Promise<Readonly<Record<string, NameAnswer>>> {
  const answers: Record<string, { records: NameRecord[] }> = {
    'example.com DS': { records: [{ name: 'example.com', type: 'DS' }] },
  };
  const zone = await readFile(join(example, 'records.zone'), 'utf8');
  for (const [, name = '', type, rest = ''] of zone.matchAll(/^(\S+)\. +IN (CAA|MX|TXT) +(.+)$/gm)) {
    const words = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, text, word]) => text ?? word ?? '');
    // An exchange is preceded by its preference, a property by its flags.
    const data = type === 'TXT' ? words : words.slice(1).map(word => word.replace(/\.$/, ''));
    const { records } = answers[`${name} ${type}`] ?? { records: [] };
    const record: NameRecord = { name, type: type as NameRecord['type'], data };
    answers[`${name} ${type}`] = { records: [...records, record] };
  }
  return answers;
}
