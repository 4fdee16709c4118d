import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate } from 'node:tls';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { targetLimits } from '../../src/captures/limits.ts';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { projectWith, read, seen } from '../../src/detectors/supabase/hardened-capture.ts';
import { home, response } from '../../src/detectors/website/hardened-capture.ts';
import { dnsQuery, parseDnsAnswer } from '../../src/surfaces/connection/dns-message.ts';
import { DriverStream } from '../../src/surfaces/connection/driver-stream.ts';
import { readAnswer } from '../../src/surfaces/connection/opening-talk.ts';
import { readAll as askMysql } from '../../src/surfaces/mysql/collect.ts';
import { Packets, readGreeting, tlsRequest } from '../../src/surfaces/mysql/packets.ts';
import { BackendMessages } from '../../src/surfaces/postgres/backend-messages.ts';
import { readAll as askPostgres } from '../../src/surfaces/postgres/collect.ts';
import { readAnonymously } from '../../src/surfaces/supabase/anonymous.ts';
import { ProjectApi } from '../../src/surfaces/supabase/project-api.ts';
import {
  readBuckets,
  readRights,
  readSchemas,
  readTables,
} from '../../src/surfaces/supabase/read-answers.ts';
import { askForTables, tablesOf } from '../../src/surfaces/supabase/schemas.ts';
import { placedTables, unlistedTables } from '../../src/surfaces/supabase/table-places.ts';
import { TableReader } from '../../src/surfaces/supabase/table-reader.ts';
import { decodeBounded, readBounded } from '../../src/surfaces/website/body.ts';
import { readBodyText } from '../../src/surfaces/website/body-text.ts';
import { lookUpCaa } from '../../src/surfaces/website/caa.ts';
import { certificateChain, endsAt } from '../../src/surfaces/website/certificate.ts';
import { probeEndpoints, probePage } from '../../src/surfaces/website/cors.ts';
import { endpointsToAsk } from '../../src/surfaces/website/cors-endpoints.ts';
import { ExposureProbing } from '../../src/surfaces/website/exposure.ts';
import { askMethods } from '../../src/surfaces/website/methods.ts';
import { navigate } from '../../src/surfaces/website/navigate.ts';
import { apiEndpoints } from '../../src/surfaces/website/offers/api-endpoints.ts';
import { reachOf } from '../../src/surfaces/website/reach.ts';
import { parseWebsiteHost } from '../../src/surfaces/website/target.ts';
import { weakCiphersAccepted } from '../../src/surfaces/website/weak-ciphers.ts';
import { bodyInPieces, clientAnswering, silentSocket, speakingSocket } from './answering-servers.ts';
import { testCertificate } from './certificates.ts';
import { redisSizedReaders } from './redis-readers.ts';
import { scriptSizedReaders } from './script-readers.ts';

/**
 * Code that reads many parts of a target, by their size in bytes: returns the work on them, which may yield to the
 * event loop.
 */
export type SizedReader = (size: number) => () => unknown;

/** For parts limited to 64 KB, such as packets and certificates, of 2 MB in total. */
const small = (size: number) => Math.floor(size * 0.03);

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: Math.ceil(count) }, (_, index) => of(index));

/** How the bytes of an answer are distributed: rows, characters of a name, entries of a list. */
interface Form {
  readonly rows: number;
  readonly length: number;
  readonly list: number;
}

const forms: Readonly<Record<string, (size: number) => Form>> = {
  'many rows': size => ({ rows: size / 100, length: 10, list: 4 }),
  'long names': size => ({ rows: size / 20_000, length: 19_000, list: 4 }),
  'long lists': size => ({ rows: size / 20_000, length: 10, list: 2_000 }),
  'a bit of all': size => ({
    rows: Math.sqrt(size) / 4,
    length: Math.sqrt(size) / 2,
    list: Math.sqrt(size) / 16,
  }),
};

/** One object with every column that any query requests; other columns are ignored. */
function factsOf({ rows, length, list }: Form, alike: boolean) {
  const long = 'a'.repeat(length);
  // The last one matches, after all others were compared.
  const roles = [...many(list, index => `r${index}`), 'anon'];
  return many(rows, index => {
    const name = alike ? long : `${long}${index}`;
    const isOdd = index % 2 === 1;
    return {
      role: isOdd ? name : 'anon',
      database: name,
      name: isOdd ? `ssn_${index}` : name,
      value: many(list, at => `v${at}`).join(','),
      type: 'host',
      databases: roles,
      users: [...roles.map(role => `+${role}`), 'all'],
      address: 'all',
      netmask: null,
      method: isOdd ? 'md5' : 'trust',
      client_certificate: false,
      map: isOdd ? name : null,
      ldap_tls: false,
      any_realm: true,
      broken: false,
      known: true,
      changed: false,
      bootstrap: false,
      superuser: isOdd,
      can_log_in: true,
      create_role: true,
      create_db: true,
      replication: true,
      bypass_rls: true,
      connection_limit: -1,
      expires: false,
      has_members: true,
      owns_relations: true,
      of_api: isOdd,
      member: isOdd ? 'anon' : name,
      admin: true,
      inherits: true,
      can_set: true,
      is_template: false,
      public_may_create_temporary: true,
      api_creators: roles,
      api_roles: roles,
      exempt_owner: name,
      detail: long,
      owner: name,
      any_system_user: true,
      own_role: false,
      member_of: roles,
      valid_until: long,
      memberships_hash: long,
      kind: 'scram',
      public_may_create: true,
      hash: long,
      schema: alike ? 'public' : name,
      relation: alike ? long : name,
      row_security: true,
      security_invoker: false,
      access: roles.map(role => ({ role, read: true, write: true, truncate: true })),
      bypasses_row_security: true,
      reads_schemas: [...roles, 'auth'],
      // Also includes repetitions: each may be examined only once.
      readers: isOdd ? roles : [...roles.map(() => 'PUBLIC'), 'anon'],
      permissive: index % 8 !== 0,
      command: 'all',
      roles: index % 8 === 0 ? roles.slice(1) : roles,
      using: index % 8 === 0 ? 'id > 1' : 'true',
      check: 'true',
      signature: `${name}()`,
      owner_is_superuser: true,
      public_may_execute: true,
      trigger: false,
      search_path_fixed: isOdd,
      search_path: roles.join(),
      alter_system: isOdd,
      installed: '1',
      available: '2',
      server: name,
      has_password: true,
      failing: true,
      has_physical_slot: false,
    };
  });
}

const server = {
  version: '18.4',
  banner: 'PostgreSQL',
  in_recovery: false,
  database: 'd',
  reader: 'r',
  reader_is_superuser: false,
  reads_all_settings: true,
  reads_all_stats: true,
};

/** Every list of the catalogs at once. */
function postgresReader(form: (size: number) => Form, alike: boolean): SizedReader {
  return size => {
    const facts = factsOf(form(size / 16), alike).map(fact => ({ fact }));
    const kinds = facts.map(({ fact }) => ({ fact: { ...fact, kind: 'table' } }));
    const maps = facts.map(({ fact }) => ({ fact: { ...fact, map: fact.name } }));
    const special = facts.map(({ fact }) => ({ fact: { ...fact, kind: 'default privilege' } }));
    return async () => {
      const capture = await askPostgres(async statement => {
        if (statement.includes('reads_all_stats')) return [{ fact: server }];
        if (statement.includes('puballtables')) return special;
        if (statement.includes('pg_ident_file_mappings')) return maps;
        return statement.includes('reads_schemas') ? kinds : facts;
      }, 'loopback');
      for (const detector of detectorsFor('postgres')) detector.detect(capture);
    };
  };
}

function mysqlReader(form: (size: number) => Form): SizedReader {
  return size => {
    const { rows, length, list } = form(size);
    const { databaseText } = targetLimits;
    const text = 'a'.repeat(Math.min(length, databaseText));
    const accounts = many(rows, index => ({
      user: `${text}${index}`.slice(0, databaseText),
      host: '%',
      is_role: 'N',
      locked: 'N',
      requires_tls: 'N',
      log_ins: many(list, at => `1 mysql_native_password${at}`)
        .join(',')
        .slice(0, databaseText),
      privileges: many(list, () => 'PROCESS')
        .join(',')
        .slice(0, databaseText),
      Variable_name: `a${index}`,
      Value: text,
    }));
    const variables = [
      { Variable_name: 'version', Value: '10.11.1-MariaDB' },
      { Variable_name: 'performance_schema', Value: 'ON' },
      ...accounts,
    ];
    return async () => {
      const capture = await askMysql(
        async statement => (statement.startsWith('show') ? variables : accounts),
        'loopback',
      );
      for (const detector of detectorsFor('mysql')) detector.detect(capture);
    };
  };
}

function supabaseReader(form: (size: number) => Form): SizedReader {
  return size => {
    const { rows, length, list } = form(size);
    const nameOf = (index: number) => `${'a'.repeat(length)}${index}`;
    const entries = many(list, index => ({ grantee: 'anon', privilege_type: `INSERT${index}` }));
    const tables = many(rows, index => ({
      schema: 'public',
      name: nameOf(index),
      table: nameOf(index % 7),
      rls_enabled: true,
      privileges: entries,
      roles: [...entries.map(() => 'x'), 'anon'],
      action: 'PERMISSIVE',
      command: 'ALL',
      definition: 'true',
      check: 'true',
      public: true,
      allowed_mime_types: many(list, at => `image/${at}`),
    }));
    const definitions = Object.fromEntries(
      tables.map(({ name }) => [
        name,
        { properties: Object.fromEntries(many(list, at => [`email${at}`, {}])) },
      ]),
    );
    const paths = Object.fromEntries(tables.map(({ name }) => [`/${name}`, { get: {} }]));
    const names = tables.map(({ name }) => name);
    return () => {
      const known = readTables({ swagger: '2.0', paths, definitions })!;
      unlistedTables(names, placedTables(known.list), seen([]));
      const capture = projectWith({
        tables: seen({ ...known, schemas: seen([]) }),
        anonymous: seen(known.list.map(({ name, columns }) => read(name, seen('visible'), columns))),
        rights: seen(readRights(tables, tables, tables) ?? []),
        buckets: seen(readBuckets(tables) ?? []),
      });
      for (const detector of detectorsFor('supabase')) detector.detect(capture);
    };
  };
}

const json = (body: string) => response(home, { headers: [['content-type', 'application/json']], body });
const projectReader =
  (of: (size: number) => string): SizedReader =>
  size => {
    const api = new ProjectApi(clientAnswering(json(of(size))), home);
    return async () => {
      const root = await askForTables(api, {}, null);
      readSchemas(root.json);
      await tablesOf(api, {}, root);
      const list = [{ schema: null, name: 'a', columns: ['b'] }];
      await readAnonymously(api, { list, truncated: false, schemas: seen([]) }, undefined, ['c']);
      await new TableReader(api, {}).read({ ...list[0]!, place: 'a' });
    };
  };

/** A certificate from a handshake, which names itself as its issuer. */
function peerOf(options: Parameters<typeof testCertificate>[0]): DetailedPeerCertificate {
  const { raw, subjectAltName } = new X509Certificate(testCertificate(options).certificate);
  const peer = { raw, fingerprint256: 'a', subject: { CN: 'a' }, subjectaltname: subjectAltName };
  return Object.assign(peer, { issuerCertificate: peer }) as unknown as DetailedPeerCertificate;
}
const certificateReader =
  (of: (size: number) => Parameters<typeof testCertificate>[0]): SizedReader =>
  size => {
    const peer = peerOf(of(small(size)));
    return () => {
      certificateChain(peer);
      endsAt(peer, []);
      tls.checkServerIdentity('portal.example.com', peer);
    };
  };

const packet = (length: number) => {
  const header = Buffer.alloc(4);
  header.writeUIntLE(length, 0, 3);
  return header;
};
const each = (count: number, receive: (byte: Buffer) => unknown) => {
  for (let at = 0; at < count; at++) receive(Buffer.of(0));
};
const longest = 60_100;

export const sizedReaders: Readonly<Record<string, SizedReader>> = {
  ...redisSizedReaders,
  ...scriptSizedReaders,
  ...Object.fromEntries(
    Object.entries(forms).flatMap(([name, form]) => [
      [`PostgreSQL, ${name}`, postgresReader(form, false)],
      [`PostgreSQL, ${name} of one table`, postgresReader(form, true)],
      [`MySQL, ${name}`, mysqlReader(form)],
      [`Supabase, ${name}`, supabaseReader(form)],
    ]),
  ),
  'JSON of a project, nested': projectReader(size => '['.repeat(size / 4)),
  'JSON of a project, numbers for names': projectReader(
    size => `{${many(size / 16, index => `"${index * 1_000_003}":0`).join(',')}}`,
  ),
  'JSON of a project, escapes': projectReader(
    size => `{"swagger":"2.0","paths":{"/${'\\u0061'.repeat(size / 6)}":{"get":{}}}}`,
  ),
  'a certificate of many names': certificateReader(size => ({
    covers: many(size / 20, index => `a${index}.example`),
  })),
  'a certificate of one long name': certificateReader(size => ({ covers: ['a'.repeat(size)] })),
  'a certificate of a long subject': certificateReader(size => ({ name: 'a, '.repeat(size / 9) })),
  'a chain of certificates': size => {
    const { raw } = peerOf({});
    let issuerCertificate: object | undefined;
    for (let index = 0; index < size / 500; index++)
      issuerCertificate = { raw, fingerprint256: `${index}`, issuerCertificate };
    return () => certificateChain(issuerCertificate as DetailedPeerCertificate);
  },
  'CAA records': size => {
    const records = many(size / 100, index => ({ critical: 0, issue: `${'a'.repeat(90)}${index}` }));
    return () => lookUpCaa(parseWebsiteHost('portal.example.com').site, async () => records);
  },
  'a long CAA record': size => {
    const records = [{ ['a'.repeat(size / 2)]: 'b'.repeat(size / 2) }];
    return () => lookUpCaa(parseWebsiteHost('a.'.repeat(100)).site, async () => records);
  },
  'an answer to the offer of ciphers, byte by byte': size => {
    const hello = Buffer.alloc(small(size), 0);
    hello.set([0x16, 3, 3, 0, 0, 2]);
    hello[43] = 255;
    // The suite was not offered, so it is inconclusive.
    return () =>
      weakCiphersAccepted(
        async () => speakingSocket(hello),
        async () => {},
        null,
        true,
      ).catch(() => {});
  },
  'a body, byte by byte': size => () => readBounded(bodyInPieces(Buffer.alloc(size)), size, () => {}),
  'a body that grows': size => {
    const bytes = gzipSync(Buffer.alloc(size * 6));
    return () => decodeBounded({ bytes, truncated: false }, ['gzip'], size * 5);
  },
  'a body of many beginnings of a declaration': size => {
    const bytes = Buffer.from('<meta charset="\0'.repeat(size / 16));
    const headers = [['content-type', 'charset ='.repeat(size / 9)]] as const;
    return () => readBodyText({ bytes, truncated: false }, headers, size, 'utf8');
  },
  'what a server says first, byte by byte': size => () => {
    const socket = silentSocket();
    const heard = readAnswer(socket, new AbortController().signal, received =>
      received.length === size ? received : undefined,
    );
    socket.speak(Buffer.alloc(size));
    return heard;
  },
  'the greeting of MySQL, byte by byte': size => () => {
    const socket = silentSocket();
    const length = small(size);
    const body = Buffer.alloc(length, 'a');
    body[0] = 10;
    body[length - 40] = 0;
    const greeting = readGreeting(socket, new AbortController().signal);
    socket.speak(Buffer.concat([packet(length), body]));
    return greeting.then(read => tlsRequest(read.packet));
  },
  'packets of MySQL, byte by byte': size => () => {
    const packets = new Packets({ tls: false });
    packets.send(Buffer.alloc(40));
    packets.receive(packet(longest));
    each(small(size), byte => packets.receive(byte));
  },
  'messages of PostgreSQL, byte by byte': size => () => {
    const messages = new BackendMessages(false);
    messages.receive(Buffer.from([0x44, 0, 0, 0xea, 0xc4]));
    each(small(size), byte => messages.receive(byte));
  },
  'errors of PostgreSQL': size => {
    const fields = Buffer.concat([Buffer.from('Sa\0'.repeat(small(size) / 3)), Buffer.of(0)]);
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    const bytes = Buffer.concat([Buffer.from('E'), length, fields]);
    return () => new BackendMessages(false).receive(bytes);
  },
  'a stream for a driver': size => () => {
    const socket = silentSocket();
    const stream = new DriverStream(new Packets({ tls: false }), 1e9).attach(socket);
    stream.on('error', () => {});
    socket.speak(Buffer.concat([packet(small(size)), Buffer.alloc(small(size) - 1)]));
    stream.destroy();
  },
  'pointers of a name server to pointers': size => {
    const query = dnsQuery('a.example', 43);
    const chain = Math.floor(small(size) / 3);
    const records = Math.floor((small(size) - 2 * chain) / 12);
    const message = Buffer.alloc(query.bytes.length + 2 * chain + 12 * records);
    query.bytes.copy(message);
    message[2] = 0x80;
    message.writeUInt16BE(records, 6);
    return () => {
      try {
        parseDnsAnswer(message, query);
      } catch {
        // Refusing is as good as reading, if it is as fast.
      }
    };
  },
  'answers to every question': size => {
    const page = response(home, {
      headers: many(Math.min(size / 40, 500), index => ['x-a', `${'a'.repeat(30)}${index}`]),
      body: 'a<'.repeat(size / 2),
    });
    const client = clientAnswering(page);
    return async () => {
      apiEndpoints(page, []);
      await probePage(client, page, null, { asksMore: true });
      await probeEndpoints(
        client,
        endpointsToAsk([new URL(home)], [`${home}a origin null`], {
          hostname: 'portal.example.com',
          pageOrigin: new URL(home).origin,
        }),
        null,
        reachOf('portal.example.com', 'full'),
      );
      await askMethods(client, new URL(home));
      await navigate(client, new URL(home), null);
      const probing = await ExposureProbing.begin(client, new URL(home).origin);
      await probing.ask(
        many(600, index => ({ path: `/${index}`, kind: 'directory' as const })),
        'safe',
      );
      await probing.end();
    };
  },
};
