import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { deepPathsFor } from '../../src/captures/exposure-paths.ts';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { areOfPackages } from '../../src/detectors/website/exposure/weigh.ts';
import {
  captureWith,
  exposureWith,
  home,
  navigation,
  response,
  seen,
} from '../../src/detectors/website/hardened-capture.ts';
import { collectsPersonalData } from '../../src/detectors/website/hipaa/identity-names.ts';
import { readMarkup } from '../../src/detectors/website/markup.ts';
import { copiesOfFiles } from '../../src/surfaces/website/copies-of-files.ts';
import { probeElsewhere } from '../../src/surfaces/website/elsewhere.ts';
import { furtherTexts } from '../../src/surfaces/website/further-texts.ts';
import { mayBeGraphql, namedEndpoints } from '../../src/surfaces/website/graphql.ts';
import { ImportMap } from '../../src/surfaces/website/import-map.ts';
import { probeInjection } from '../../src/surfaces/website/injection.ts';
import { mayAct } from '../../src/surfaces/website/offers/acting-words.ts';
import { pathsOfPage } from '../../src/surfaces/website/paths-of-page.ts';
import { coverageOf } from '../../src/surfaces/website/proof-coverage.ts';
import { openPathsAt, reachOf } from '../../src/surfaces/website/reach.ts';
import { probeReflection } from '../../src/surfaces/website/reflection.ts';
import { revisit } from '../../src/surfaces/website/revisit.ts';
import { namedPaths } from '../../src/surfaces/website/robots.ts';
import { referencesIn } from '../../src/surfaces/website/script-references.ts';
import { collectScripts } from '../../src/surfaces/website/scripts.ts';
import { inlineMap, originalsOf } from '../../src/surfaces/website/source-map.ts';
import { parseWebsiteHost } from '../../src/surfaces/website/target.ts';
import { technologiesOf } from '../../src/surfaces/website/technologies.ts';
import { clientAnswering } from '../support/answering-servers.ts';
import { callsDuring } from '../support/function-calls.ts';
import { pageParts } from '../support/page-parts.ts';
import { sizedReaders } from '../support/row-readers.ts';
import { textReaders } from '../support/text-readers.ts';

/**
 * Every function that may read a target's data is covered by the test for linear time
 * (src/surfaces/linear-time.test.ts), or listed here with a reason.
 */

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** Exported functions with a parameter, and classes, by file. */
function exportsOf(file: string): readonly string[] {
  const tree = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true);
  return tree.statements.flatMap(statement => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isFunctionDeclaration(statement) && statement.parameters.length > 0) return [statement.name!.text];
    if (ts.isClassDeclaration(statement)) return [statement.name!.text];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations
      .filter(
        ({ initializer }) =>
          initializer !== undefined &&
          (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) &&
          initializer.parameters.length > 0,
      )
      .map(({ name }) => name.getText());
  });
}

const files = ['surfaces', 'detectors', 'captures'].flatMap(folder =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map(file => `${folder}/${file}`)
    .filter(
      file =>
        /\.ts$/.test(file) && !/(?:\.test|\/cases|\/hardened-capture|\/planted(?:\/\w+)?)\.ts$/.test(file),
    )
    // Parapet's own text.
    .filter(file => !/^detectors\/(?:remediation\/|\w+\/fix\.ts$)/.test(file)),
);

const opens = 'opens connections; tested functions read the received data';
const ofOperator = 'reads a setting of the operator or of this code, no target data';
const ofSystem = 'compares error codes of this system';

const exempt: Readonly<Record<string, string>> = {
  'detectors/catalogue.ts checkById': ofOperator,
  'detectors/catalogue.ts idsOfCheck': ofOperator,
  'detectors/describe-silence.ts describeSilence': 'reads times of the service, no target data',
  'surfaces/connection/target-allowlist.ts blockedAddress': 'reads the host of a source, at registration',
  'surfaces/webhook/post-message.ts postMessage': 'reads the status and one header of a response',
  'surfaces/connection/connection-test.ts overOf': 'reads the address of a socket',
  'detectors/website/response.ts unreadReason': ofOperator,
  'detectors/website/libraries/signatures/signature.ts at': ofOperator,
  'detectors/website/libraries/signatures/signature.ts listed': ofOperator,
  'detectors/website/secrets/rule.ts near': ofOperator,
  'detectors/website/secrets/rule.ts onlyNear': ofOperator,
  'detectors/website/secrets/shape.ts compileShape': ofOperator,
  'detectors/website/secrets/shape.ts partsOf': ofOperator,
  'detectors/website/secrets/shape.ts patternOf': ofOperator,
  'detectors/website/secrets/shape.ts rulesOf': ofOperator,
  'detectors/website/software/products/product.ts titled': ofOperator,
  'surfaces/connection/connection-test.ts measured': opens,
  'surfaces/connection/connection-test.ts withinBudget': opens,
  'surfaces/connection/connection-test.ts reachServer': opens,
  'surfaces/connection/connection-test.ts withServer': opens,
  'surfaces/connection/opening-talk.ts secure': opens,
  'detectors/mysql/configuration/rule.ts above': ofOperator,
  'detectors/mysql/configuration/rule.ts below': ofOperator,
  'detectors/mysql/configuration/rule.ts rule': ofOperator,
  'surfaces/mysql/collect.ts collectMysql': opens,
  'surfaces/mysql/mysql-stream.ts MysqlStream': opens,
  'surfaces/mysql/session.ts askMysql': opens,
  'surfaces/mysql/test-connection.ts testMysql': opens,
  'surfaces/redis/collect.ts collectRedis': opens,
  'surfaces/redis/session.ts openRedis': opens,
  'surfaces/redis/test-connection.ts testRedis': opens,
  'surfaces/connection/pinned-connection.ts connectPinned': opens,
  'surfaces/connection/pinned-connection.ts connectPinnedTls': opens,
  'surfaces/postgres/collect.ts collectPostgres': opens,
  'surfaces/postgres/session.ts askPostgres': opens,
  'surfaces/postgres/test-connection.ts testPostgres': opens,
  'surfaces/postgres/queries/query.ts fairly': ofOperator,
  'surfaces/postgres/queries/query.ts asInvoker': ofOperator,
  'surfaces/postgres/queries/query.ts notOfExtension': ofOperator,
  'surfaces/postgres/queries/query.ts signatureOf': ofOperator,
  'surfaces/supabase/collect.ts collectSupabase': opens,
  'surfaces/supabase/test-connection.ts testSupabase': opens,
  'surfaces/connection/target-allowlist.ts AllowlistError': ofOperator,
  'surfaces/connection/target-allowlist.ts createAllowlist': ofOperator,
  'surfaces/connection/target-guard.ts createTargetGuard': opens,
  'surfaces/connection/time-limit.ts withTimeLimit': ofOperator,
  'surfaces/website/arrival.ts arrive': opens,
  'surfaces/website/public-files.ts PublicFiles': opens,
  'surfaces/website/budget.ts Budget': 'counts',
  'surfaces/website/reach.ts urgentPaths': 'chooses from a fixed list',
  'surfaces/website/reach.ts furtherPaths': 'chooses from a fixed list',
  'captures/exposure-paths.ts choosePaths': 'chooses from a fixed list',
  'captures/listed-paths.ts listed': 'reads a fixed list',
  'detectors/website/software/products/product.ts products': 'makes a list',
  'surfaces/website/gone-pages.ts gonePages': 'reads the status of three answers',
  'detectors/detection.ts detecting': 'makes a detector',
  'detectors/postgres/database-subject.ts databaseSubject': 'reads a name',
  'detectors/website/page-subject.ts pageSubject': 'reads the addresses of a few answers',
  'surfaces/website/budget.ts BudgetSpent': ofOperator,
  'surfaces/website/caa.ts resolveCaaBySystem': opens,
  'surfaces/website/collect.ts collectWebsite': opens,
  'surfaces/connection/dns-exchange.ts askNameServer': opens,
  'surfaces/website/domain-proof.ts findDomainProof': opens,
  'surfaces/website/domain-records.ts lookUpDomain': opens,
  'surfaces/website/failure.ts LimitReached': ofOperator,
  'surfaces/website/failure.ts NotCovered': ofOperator,
  'surfaces/website/failure.ts SiteDeclines': ofOperator,
  'surfaces/website/failure.ts isClosed': ofSystem,
  'surfaces/website/failure.ts isMomentary': ofSystem,
  'surfaces/website/failure.ts isRefused': ofSystem,
  'surfaces/website/handshake-obstacle.ts explained': `${opens}; at most 64 KiB in a few records`,
  'surfaces/website/handshake-obstacle.ts obstacleOf': `${opens}; at most 64 KiB in a few records`,
  'surfaces/website/http-client.ts HttpClient': `${opens}; at most 32 KB of header fields`,
  'surfaces/website/polite-client.ts PoliteClient': opens,
  'surfaces/website/proof-coverage.ts guardAt': opens,
  'surfaces/website/proof-places.ts proofPlaces': ofOperator,
  'surfaces/website/session.ts openSession': opens,
  'surfaces/website/test-connection.ts testWebsite': opens,
  'surfaces/website/tls.ts firstHandshake': opens,
  'surfaces/website/tls.ts protocolSupport': opens,
  'surfaces/website/tls.ts dhBits': opens,
  'surfaces/website/tls.ts timestampsBeside': opens,
  'surfaces/website/tls-facts.ts tlsFacts': opens,
  'surfaces/website/dh-group.ts dhGroupBits': `${opens}; at most 64 KiB in a few records`,
  'surfaces/website/first-messages.ts firstMessages': `${opens}; at most 64 KiB in a few records`,
  'surfaces/website/timestamps.ts sendsTimestamps': `${opens}; at most 64 KiB in a few records`,
  'detectors/website/transport/preload-list.ts writeHashes': ofOperator,
  'surfaces/website/tls.ts weakCiphers': opens,
  'surfaces/website/visit.ts visitHttp': opens,
  'surfaces/website/visit.ts visitHttps': opens,
};

/** Methods of a class: one without a constructor counts as run if any of them ran. */
function methodsOf(entry: string): readonly string[] {
  const [file = '', name] = entry.split(' ');
  const tree = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = tree.statements.filter(ts.isClassDeclaration).find(one => one.name?.text === name);
  return (found?.members ?? [])
    .filter(ts.isMethodDeclaration)
    .map(method => `${file} ${method.name?.getText() ?? ''}`);
}

async function hunt(): Promise<void> {
  const texts = ['a', '1.2.3', 'a=b; c', `${home}a?b=c#d`, "default-src 'self'", '[{"'];
  for (const read of Object.values(textReaders)) {
    for (const text of texts) {
      try {
        read(text);
      } catch {
        // Refusing also counts as reading.
      }
    }
  }
  for (const of of Object.values(sizedReaders)) await of(100_000)();
  const page = response(home, { headers: [['content-type', 'text/html']], body: pageParts.join('') });
  const client = clientAnswering(page);
  const reach = reachOf('portal.example.com', 'full');
  const read = [{ url: page.url, response: { assessed: true, value: page } }] as const;
  pathsOfPage(page, read, home, reach);
  copiesOfFiles(page, home);
  await probeInjection(client, page, read, null, undefined);
  await furtherTexts(client, page, read, null, reach);
  deepPathsFor(technologiesOf([page]), reach.deepPaths);
  mayBeGraphql(page);
  namedEndpoints(page, read, home);
  namedPaths(page.body);
  originalsOf(page.body);
  inlineMap(`data:application/json,${page.body}`);
  new ImportMap().add(page.body, home);
  mayAct(page.body);
  areOfPackages([page.body]);
  readMarkup(page).forms.some(collectsPersonalData);
  for (const isPage of [true, false]) referencesIn(page.body, new URL(page.url), new ImportMap(), isPage);
  await collectScripts(client, page, null, { ...reach, scripts: 3 });
  openPathsAt(home, 'portal.example.com', [`${home}old.sql`]);
  await probeElsewhere(client, { hostname: 'portal.example.com', origin: home }, [
    'http://portal.example.com/.env',
  ]);
  await revisit(
    client,
    { hostname: 'portal.example.com', page, scripts: [] },
    [`private-key ${home}a.js`],
    null,
  );
  coverageOf({ by: 'dns_txt', address: '192.0.2.1' }, parseWebsiteHost(home).site, new URL(home));
  await probeReflection(client, page, null, undefined);
  const scripts = seen([{ url: `${home}a.js`, response: seen(page) }]);
  const exposure = exposureWith({ '/.env': { body: 'a' } });
  for (const detector of detectorsFor('website'))
    detector.detect(captureWith({ page: seen(page), https: navigation(page), scripts, exposure }));
}

it('calls every function that may read target data', { timeout: 120_000 }, async () => {
  const ran = await callsDuring(hunt);
  const all = files.flatMap(file => exportsOf(file).map(name => `${file} ${name}`));
  expect(all.length).toBeGreaterThan(150);
  const missing = all.filter(
    name =>
      !ran.has(name) && !methodsOf(name).some(method => ran.has(method)) && !Object.hasOwn(exempt, name),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(exempt).filter(name => !all.includes(name) || ran.has(name))).toEqual([]);
});
