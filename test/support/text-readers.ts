import { deepExposurePaths } from '../../src/captures/deep-exposure-paths.ts';
import { isOwnAnswer, pageTraits } from '../../src/captures/own-answer.ts';
import { isTooLong, PageAddresses, parseUrl } from '../../src/captures/page-addresses.ts';
import {
  certifiedAt,
  formerPlaces,
  formField,
  hasPath,
  inFullScan,
  isInFullScan,
  isInQuery,
  isOfSourceMaps,
  parameterAt,
  parameterOf,
  permissionOf,
  secretAt,
  secretOf,
  sourceMapsOf,
} from '../../src/captures/places.ts';
import { readTags } from '../../src/captures/read-tags.ts';
import { isHeld, isRunnable, sourceOf } from '../../src/captures/script-element.ts';
import { urlAt } from '../../src/captures/url-at.ts';
import type { HttpResponse } from '../../src/captures/website.ts';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { quoted } from '../../src/detectors/detection.ts';
import { mariadbReleases } from '../../src/detectors/lexicon/end-of-life/mariadb.ts';
import { standingOf } from '../../src/detectors/lexicon/end-of-life/table.ts';
import { isSensitiveName } from '../../src/detectors/lexicon/sensitive-names.ts';
import { maskSecrets } from '../../src/detectors/mask-secrets.ts';
import { comparesPassword, isFromAnywhere, isLocal, quotedName } from '../../src/detectors/mysql/account.ts';
import { listensTo } from '../../src/detectors/mysql/exposure.ts';
import { account, mysqlWith, plaintextUsers } from '../../src/detectors/mysql/hardened-capture.ts';
import { isAtLeast, productOf } from '../../src/detectors/mysql/product.ts';
import * as postgres from '../../src/detectors/postgres/hardened-capture.ts';
import { printable } from '../../src/detectors/printable.ts';
import * as names from '../../src/detectors/supabase/sensitive-names.ts';
import { judgePolicy } from '../../src/detectors/website/csp/policy.ts';
import { isBuiltText } from '../../src/detectors/website/documentation.ts';
import { developmentFile } from '../../src/detectors/website/exposure/development-files.ts';
import { isHarmless } from '../../src/detectors/website/exposure/harmless.ts';
import { isHistory, isLog } from '../../src/detectors/website/exposure/logs-and-histories.ts';
import { secretFile } from '../../src/detectors/website/exposure/secret-files.ts';
import { sourceCode } from '../../src/detectors/website/exposure/source-copies.ts';
import { repositoryOf, versionControl } from '../../src/detectors/website/exposure/version-control.ts';
import { lighterSeverity } from '../../src/detectors/website/exposure/weigh.ts';
import {
  captureWith,
  headersWith,
  home,
  navigation,
  response,
  seen,
} from '../../src/detectors/website/hardened-capture.ts';
import { sensitiveName, sensitiveParameters } from '../../src/detectors/website/hipaa/identity-names.ts';
import { vendorOf } from '../../src/detectors/website/hipaa/trackers.ts';
import { databaseErrorIn } from '../../src/detectors/website/injection/database-errors.ts';
import { librariesInScript } from '../../src/detectors/website/libraries/find-in-script.ts';
import { librariesInUrl } from '../../src/detectors/website/libraries/find-in-url.ts';
import { withRestated } from '../../src/detectors/website/libraries/generations.ts';
import { judgeVersion } from '../../src/detectors/website/libraries/judge-version.ts';
import { librariesIn } from '../../src/detectors/website/libraries/libraries-in.ts';
import { compareVersions } from '../../src/detectors/website/libraries/version.ts';
import { policyOf, readSpf } from '../../src/detectors/website/mail/policies.ts';
import { isChanging, siteOf, takenOverName } from '../../src/detectors/website/page/third-party.ts';
import { addressWithNames } from '../../src/detectors/website/page-subject.ts';
import { reflectedAs } from '../../src/detectors/website/reflection/reflected-as.ts';
import {
  errorPageReason,
  originOf as originOfUrl,
  withoutQuery,
} from '../../src/detectors/website/response.ts';
import { scriptPlace } from '../../src/detectors/website/script-place.ts';
import { withoutCodeSamples } from '../../src/detectors/website/secrets/code-samples.ts';
import { findSecrets, LastMatch, looksRandom } from '../../src/detectors/website/secrets/find-secrets.ts';
import { hasManyChanges, isGenuineLogin, looksGenuine } from '../../src/detectors/website/secrets/genuine.ts';
import { isLongLived } from '../../src/detectors/website/secrets/json-web-tokens.ts';
import { withoutEscapes } from '../../src/detectors/website/secrets/reveal.ts';
import { around, enclosing } from '../../src/detectors/website/secrets/rule.ts';
import * as checksums from '../../src/detectors/website/secrets/token-checksum.ts';
import {
  cookiesSet,
  isOpaque,
  isSessionCookie,
  stableCookieName,
} from '../../src/detectors/website/session-cookie.ts';
import { productsIn } from '../../src/detectors/website/software/products/recognize.ts';
import { parseHsts } from '../../src/detectors/website/transport/hsts.ts';
import { isPublicUnicast, parseAddress, parseHost } from '../../src/surfaces/connection/address.ts';
import { isSameAuthority, parseAuthority } from '../../src/surfaces/connection/authority.ts';
import { parseDsn } from '../../src/surfaces/connection/dsn.ts';
import { connectionErrorCode } from '../../src/surfaces/connection/failure.ts';
import { mysqlErrorCode } from '../../src/surfaces/mysql/failure.ts';
import { LogIn as MysqlLogIn } from '../../src/surfaces/mysql/log-in.ts';
import { readAccounts, readUsers, readVariables } from '../../src/surfaces/mysql/read-rows.ts';
import { postgresErrorCode, refusalOf } from '../../src/surfaces/postgres/failure.ts';
import { LogIn } from '../../src/surfaces/postgres/log-in.ts';
import { conditionOf } from '../../src/surfaces/postgres/policy-condition.ts';
import { isAnonymousKey, isHeaderValue, keyHeaders } from '../../src/surfaces/supabase/keys.ts';
import { originFor, parseProjectUrl } from '../../src/surfaces/supabase/origin.ts';
import { reasonOf } from '../../src/surfaces/supabase/project-api.ts';
import { readBuckets, readRights, readSignUp, readTables } from '../../src/surfaces/supabase/read-answers.ts';
import { createRedaction } from '../../src/surfaces/website/credential.ts';
import { isReservedHeader } from '../../src/surfaces/website/credential-form.ts';
import { codeOf, errorCodeOf, reasonFor } from '../../src/surfaces/website/failure.ts';
import { assertReadable, hostnameOf } from '../../src/surfaces/website/http-client.ts';
import { isSameSite, redirectTarget } from '../../src/surfaces/website/navigate.ts';
import {
  captionMayAct,
  labelMayAct,
  linkMayAct,
  mapMayAct,
  mayAct,
} from '../../src/surfaces/website/offers/acting-words.ts';
import { reachOf } from '../../src/surfaces/website/reach.ts';
import { isAllowed, rulesFor } from '../../src/surfaces/website/robots.ts';
import { parseWebsiteHost, startUrl } from '../../src/surfaces/website/target.ts';
import { exposureOrigin, finalPage } from '../../src/surfaces/website/visit.ts';
import { redisTextReaders } from './redis-readers.ts';

const html = [['content-type', 'text/html']] as const;
const responseWith = (changes: Partial<HttpResponse>) => response(home, { headers: html, ...changes });
const errorWith = (text: string) => Object.assign(new Error(text), { code: text });
const authenticationOf = (request: number, text: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, request]), Buffer.from(text)]);
const detectWebsite = (capture: ReturnType<typeof captureWith>) => {
  for (const detector of detectorsFor('website')) detector.detect(capture);
};

/** Headers that a detector parses. */
const parsedHeaders = [
  'server',
  'via',
  'set-cookie',
  'content-security-policy',
  'strict-transport-security',
  'location',
  'x-debug',
];

/** Settings without which others do not matter. */
const switchedOn = new Set(['ssl', 'logging_collector', 'archive_mode']);

/** Every function that reads a text of a target, by its input. */
export const textReaders: Readonly<Record<string, (text: string) => unknown>> = {
  ...redisTextReaders,
  reflectedAs: text => reflectedAs(text, ['pabc', 'pdef']),
  pageTraits: text => {
    const traits = pageTraits(200, text, ['pabc', 'pdef']);
    return isOwnAnswer(traits, traits);
  },
  errorPageReason: text => errorPageReason(responseWith({ status: 503, body: text })),
  assertReadable: text => assertReadable(new URL(`${home}${text}`)),
  exposureOrigin: text => {
    const page = navigation(response(`${home}${text.slice(0, 8_000)}`));
    return exposureOrigin({ assessed: false, reason: '' }, page, page);
  },

  parseHost,
  parseAddress,
  isPublicUnicast,
  parseWebsiteHost: text => startUrl(parseWebsiteHost(text), 'https'),
  parseUrl: text => [parseUrl(text), parseUrl(`https://${text}/`), parseUrl(`/${text}`, home)],
  isTooLong: text => isTooLong(text, home),
  'acting words': text => [
    linkMayAct(urlAt(home, text.slice(0, 8_000)), [text]),
    mayAct(text),
    labelMayAct(text),
    captionMayAct(text),
    mapMayAct(urlAt(home, text.slice(0, 8_000))),
  ],
  urlAt: text => urlAt(home, `/${text}?${text}#${text}`),
  PageAddresses: text => {
    const addresses = new PageAddresses(home);
    addresses.setBase(text);
    for (const part of text.split(' ', 5_000)) addresses.resolve(part);
  },
  places: text => [
    parameterAt(text),
    secretAt(secretOf(text, text)),
    parameterAt(`${parameterOf(text, text)}`),
    isInQuery(formField(text)),
    isOfSourceMaps(sourceMapsOf(text)),
    [text, `${home}${text}`, inFullScan(`${home}${text}`)].map(place => [
      certifiedAt(place),
      hasPath(place),
      isInFullScan('cors.x', place),
      formerPlaces('cors.x', place),
    ]),
    permissionOf({ url: `${home}${text}`, kind: 'null' }),
  ],
  readTags: text => readTags(text, { onOpen: () => {}, onText: () => {}, onClose: () => {} }),
  'script elements': text =>
    [{ type: text }, { type: 'x', 'data-src': text }, { src: text, class: text, type: 'text/plain' }].map(
      attributes => [isRunnable(attributes), isHeld(attributes), sourceOf(attributes)],
    ),
  deepExposurePaths: text => deepExposurePaths(text.slice(0, 253)),
  reachOf: text => [
    reachOf('portal.example.com', 'full', text),
    reachOf('portal.example.com', 'full', `${home}${text}`),
  ],
  redirectTarget: text => redirectTarget(responseWith({ status: 302, headers: [['location', text]] })),
  isSameSite: text => isSameSite(text.slice(0, 8_192), `a.${text.slice(0, 8_192)}`),
  hostnameOf: text => hostnameOf(new URL(`http://${text.slice(0, 300)}/`)),
  rulesFor: text => rulesFor('parapet', `User-agent: parapet\nDisallow: /${text}`),
  'rulesFor, many': text => rulesFor('parapet', `User-agent: parapet\n${text}`),
  isAllowed: text => {
    const [half, path] = [text.slice(0, text.length / 2), text.slice(text.length / 2).slice(0, 8_192)];
    const lines = half.match(/.{1,2000}/gs)?.map(part => `Disallow: /*${part}`) ?? [];
    const rules = rulesFor('parapet', `User-agent: parapet\n${lines.slice(0, 500).join('\n')}`);
    if (rules !== null) isAllowed(rules, `/${path}`);
  },
  isReservedHeader: text => isReservedHeader(text),
  vendorOf: text => vendorOf(text, `/${text}`),
  createRedaction: text => createRedaction({ type: 'basic', username: 'aaaa', password: 'aaaa' })(text),
  'createRedaction, a long credential': text => {
    for (const value of [
      `${'a'.repeat(8_000)}b`,
      `b${'a'.repeat(8_000)}`,
      `${'a'.repeat(4_000)}b${'a'.repeat(4_000)}`,
    ])
      createRedaction({ type: 'header', name: 'x', value })(text);
  },
  'errors of connections': text => {
    for (const error of [
      errorWith(text),
      Object.assign(errorWith(`SASL: ${text}`), { errno: 1045 }),
      new Error(`SASL: ${text}`),
    ])
      for (const read of [
        codeOf,
        errorCodeOf,
        connectionErrorCode,
        postgresErrorCode,
        mysqlErrorCode,
        refusalOf,
        reasonFor,
        reasonOf,
      ])
        read(error);
  },
  parseAuthority: text => [isSameAuthority(parseAuthority(text, 1)!, parseAuthority('a', 1)!)],
  parseDsn: text => parseDsn(text, { schemes: ['a'], defaultPort: 1 }),
  'parseDsn, a password': text => parseDsn(`a://b:${text}@c/d`, { schemes: ['a'], defaultPort: 1 }),
  parseProjectUrl: text => parseProjectUrl(`https://${text}`),
  originFor: text => originFor('a.example', { type: 'service_role', url: `https://${text}`, key: 'k' }),
  'originFor, the key': text =>
    originFor('a.example', { type: 'service_role', url: 'https://a.example', key: text }),
  keyHeaders: text => [isHeaderValue(text), isAnonymousKey(text), keyHeaders(text)],
  LogIn: text => {
    const logIn = new LogIn(true);
    logIn.follow(authenticationOf(10, text));
    logIn.follow(authenticationOf(11, `r=${text},s=${text},i=4096`));
    logIn.follow(authenticationOf(12, text));
  },
  'LogIn of MySQL': text => new MysqlLogIn().follow(Buffer.from(`\xfe${text}\0`, 'latin1')),
  'LogIn, its challenge': text => {
    const logIn = new LogIn(true);
    logIn.follow(authenticationOf(10, ''));
    logIn.follow(authenticationOf(11, text));
  },
  conditionOf,
  readVariables: text => readVariables([{ Variable_name: text, Value: text }]),
  readAccounts: text => readAccounts([{ user: text, host: text, log_ins: text, privileges: text }]),
  readUsers: text => readUsers([{ user: text }]),
  readBuckets: text => readBuckets([{ name: text, allowed_mime_types: [text] }]),
  readTables: text =>
    readTables({
      swagger: '2.0',
      paths: { [`/${text}`]: { get: {} } },
      definitions: { [text]: { properties: { [text]: 1 } } },
    }),
  readRights: text =>
    readRights([{ schema: text, name: text }], [], [{ schema: text, table: text, roles: [text] }]),
  readSignUp,
  quoted,
  printable,
  standingOf: text => standingOf(mariadbReleases, text, text),
  'accounts of MySQL': text => {
    const one = account(text, text);
    return [
      isLocal(one),
      isFromAnywhere(one),
      quotedName(text),
      comparesPassword(text),
      listensTo({ bind_address: text }, 'loopback'),
    ];
  },
  productOf: text => isAtLeast(productOf({ version: text, version_comment: text, basedir: text }).numbers, 8),
  'the detectors of MySQL': text => {
    const value = text.slice(0, 2_000);
    const settings = [
      'version',
      'version_comment',
      'tls_version',
      'bind_address',
      'sql_mode',
      'secure_file_priv',
      'audit_log_policy',
    ];
    const accounts = [
      account(value, value, { log_ins: [{ plugin: value, empty: true }], privileges: [value] }),
    ];
    const capture = mysqlWith(Object.fromEntries(settings.map(name => [name, value])), accounts);
    for (const detector of detectorsFor('mysql'))
      detector.detect({ ...capture, plaintext_users: plaintextUsers([value]) });
  },
  'sensitive names': text => [
    isSensitiveName(text),
    names.isSensitiveName(text),
    names.isContactOf(text, text),
    names.isContactOf('users', text),
    names.isShownName(text),
  ],
  judgePolicy: text => judgePolicy(text, 'header'),
  secretFile: text =>
    ['/.env', '/.git/config', '/wp-config.php.bak', '/id_rsa', '/.aws/credentials'].map(path => [
      secretFile(text, path),
      isHarmless('secrets_file', text, path),
      isHarmless('graphql', text, path),
    ]),
  lighterSeverity: text => lighterSeverity('secrets_file', text, '/.env'),
  'files by format': text => [
    isLog(text, '/error.log'),
    isHistory(text),
    sourceCode(text, '/a.php~'),
    developmentFile(text, '/Dockerfile'),
    ['/.git/index', '/.hg/hgrc', `/${text}`].map(path => [versionControl(text, path), repositoryOf(path)]),
  ],
  databaseErrorIn,
  productsIn: text => productsIn(response(home, { body: text })),
  'revealing names': text => [
    sensitiveName(text),
    sensitiveParameters(`${home}?${text}`),
    sensitiveParameters(`${home}?${text}=${text}`),
  ],
  librariesInScript,
  librariesInUrl,
  librariesIn: text => [
    librariesIn(text),
    librariesIn(`lockfileVersion: 9\n${text}`),
    librariesIn(`# yarn lockfile v1\n${text}`),
    withRestated({ library: 'jszip', version: text }),
  ],
  scriptPlace,
  judgeVersion: text => [
    judgeVersion('jquery', text),
    compareVersions(text, text),
    compareVersions(text, '1.2.3'),
  ],
  mail: text => [readSpf(`v=spf1 ${text}`), policyOf(`v=DMARC1; ${text}`)],
  'other hosts': text => [takenOverName(text), isChanging(text), siteOf(text)],
  'places of pages': text => [
    originOfUrl(`${home}${text}`),
    withoutQuery(`${home}${text}?${text}`),
    addressWithNames(`${home}?${text}`),
  ],
  findSecrets,
  withoutCodeSamples: text => [
    withoutCodeSamples(text),
    withoutCodeSamples('<pre>'.repeat(text.length / 5)),
    withoutCodeSamples('<code></code>'.repeat(text.length / 13)),
  ],
  isBuiltText: text => [isBuiltText(text), isBuiltText(`<meta name="generator" ${text}`)],
  'masked secrets': text => maskSecrets(text, () => ''),
  'possible secrets': text => [
    looksGenuine(text),
    isGenuineLogin(text, text, text),
    Object.values(checksums).map(isValid => isValid(text)),
    hasManyChanges(text, 0.5),
    isLongLived(text, { now: 0 }),
    withoutEscapes(text),
    looksRandom(new LastMatch().at(text, 0, /(?<random>.{0,100})/y)!),
    around(/a/.exec(`${text}a`)!, 100),
    enclosing(/a/.exec(`${text}a`)!, 100, '"'),
  ],
  cookies: text => [
    cookiesSet(
      responseWith({
        headers: [
          ['set-cookie', text],
          ['set-cookie', `a=b; ${text}`],
        ],
      }),
      '2026-11-21T08:00:00.000Z',
    ),
    isSessionCookie({ name: text, value: text }),
    isOpaque(text),
    stableCookieName(text),
  ],
  parseHsts,
  'the detectors of websites, headers': text => {
    const value = text.slice(0, 32_768);
    const page = responseWith({ headers: [...html, ...parsedHeaders.map(name => [name, value] as const)] });
    detectWebsite(
      captureWith({
        page: seen(page),
        https: navigation(page),
        http: finalPage(navigation(page), navigation(page)).assessed ? navigation(page) : navigation(),
      }),
    );
  },
  'the detectors of websites, a script that the page names by a long address': text => {
    const url = `${home}${text.slice(0, 8_000)}`;
    const script = response(url, { headers: headersWith({ 'content-type': 'text/javascript' }), body: text });
    detectWebsite(captureWith({ scripts: seen([{ url, response: seen(script) }]) }));
  },
  'the detectors of PostgreSQL': text => {
    const value = text.slice(0, 20_000);
    const policy = postgres.policy({ schema: value, relation: value, name: value, roles: [value] });
    const capture = postgres.captureWith({
      policies: postgres.listed(policy),
      relations: postgres.listed(postgres.relation({ schema: value, name: value })),
      hba_rules: postgres.listed(postgres.hbaRule({ users: [value], databases: [value], address: value })),
      roles: postgres.listed(postgres.role(value, { superuser: true })),
      overrides: postgres.listed(
        { role: value, database: null, name: 'search_path', value },
        { role: null, database: value, name: 'local_preload_libraries', value },
        { role: 'authenticator', database: null, name: 'pgrst.db_schemas', value },
      ),
      settings: postgres
        .captureWith()
        .settings.map(({ name }) => ({ name, value: seen(switchedOn.has(name) ? 'on' : value) })),
    });
    // The rules of a service are reported otherwise.
    const rules = [postgres.hbaRule({ address: 'all', netmask: null, method: 'md5', users: [value] })];
    const service = postgres.listed(postgres.firstSuperuser('rdsadmin'));
    const managed = { ...capture, hba_rules: postgres.listed(...rules), roles: service };
    const local = postgres.captureWith({
      changed: { listen_addresses: 'localhost' },
      hba_rules: postgres.listed(postgres.hbaRule({ method: 'trust', address: value, netmask: value })),
    });
    for (const detector of detectorsFor('postgres')) detector.detect(local);
    for (const detector of detectorsFor('postgres')) detector.detect(managed);
    for (const detector of detectorsFor('postgres')) detector.detect(capture);
  },
};
