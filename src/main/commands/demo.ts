import type { Command } from 'commander';
import { Client } from '../../cli/client.ts';
import { showFindings, showWayOn } from '../demo/closing.ts';
import { offerDashboard } from '../demo/dashboard-look.ts';
import { type Interruption, listenForInterruption } from '../demo/interruption.ts';
import { Narrator } from '../demo/narrator.ts';
import { tellStory } from '../demo/story.ts';
import { makeThrowAwayFolder } from '../demo/throw-away-folder.ts';
import { mintClient, startThrowAwayService } from '../demo/throw-away-service.ts';
import { startSampleSite } from '../sample-site/sample-site.ts';

interface Options {
  readonly exit?: boolean;
}

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('show the main job in a throw-away service: from the first signed call to the findings')
    .argument('[url]', 'a website that you own or may test, in the place of the sample site')
    .option('--exit', 'end after the findings, as in CI')
    .action(run);
}

/** Resources in the order of their making; they go in the opposite order. */
type CleanUps = (() => Promise<unknown>)[];

const cleanUpSeconds = 30;

async function run(url: string | undefined, options: Options): Promise<void> {
  const interruption = listenForInterruption();
  const cleanUps: CleanUps = [];
  let done = false;
  try {
    const showWayOn = await show(url, interruption, cleanUps);
    done = true;
    if (options.exit) return;
    showWayOn();
    await interruption.happened;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
  } finally {
    if (interruption.signal.aborted) process.stderr.write('\nClearing the demo away.\n');
    await cleanUp(cleanUps);
    if (!done && interruption.signal.aborted) process.exitCode = interruption.exitStatus();
  }
}

/** @returns what to say where the service stays up */
async function show(
  url: string | undefined,
  interruption: Interruption,
  cleanUps: CleanUps,
): Promise<() => void> {
  const { signal, race } = interruption;
  const narrator = new Narrator(process.stdout, process.env);
  narrator.line(narrator.colours.bold('Parapet, from the first signed call to the findings'));

  narrator.step(
    'Start the service',
    'A private PostgreSQL in a throw-away folder, and the API on a free port of loopback.',
  );
  const folder = await makeThrowAwayFolder();
  cleanUps.push(folder.remove);
  // The sample site is on loopback, which scans may not reach otherwise. With a URL the operator's word holds.
  const allowlist = url === undefined ? '127.0.0.0/8,::1/128' : (process.env.PARAPET_TARGET_ALLOWLIST ?? '');
  const starting = startThrowAwayService(folder.path, allowlist, signal);
  // Also when interrupted while it starts: it cannot be stopped before it has started.
  cleanUps.push(() =>
    starting.then(
      service => service.stop(0),
      () => undefined,
    ),
  );
  const service = await race(starting);
  narrator.facts({ listening: service.url, 'data folder': folder.path });

  const site = url === undefined ? await startSampleSite() : undefined;
  if (site) cleanUps.push(site.close);
  narrator.facts(
    site
      ? { 'sample site': `${site.url} with flaws made on purpose` }
      : { website: `${url}: by naming it you say that you may test it` },
  );

  narrator.step(
    'Create an organization and mint a key',
    "The operator's act on the host: `parapet organizations create`, `parapet keys mint`. The service keeps the token's hash and the public key only.",
  );
  const { organizationId, environment, settings, scopes } = await race(
    mintClient(service, 'Harbour View Clinic'),
  );
  narrator.facts({ token: 'svc_live_***', 'token id': settings.tokenId, scopes: scopes.join(', ') });

  const told = await tellStory(new Client(settings), site?.host ?? url!, narrator, signal);
  showFindings(told, settings.url, narrator);
  const look = await race(offerDashboard(service, organizationId));
  return () => showWayOn({ told, environment, look, siteUrl: site?.url }, narrator);
}

async function cleanUp(cleanUps: CleanUps): Promise<void> {
  const overdue = setTimeout(() => {
    process.stderr.write(`parapet: the demo could not be cleared away in ${cleanUpSeconds} s\n`);
    process.exit(1);
  }, cleanUpSeconds * 1000);
  for (const cleanUpOne of cleanUps.reverse()) {
    // One that fails must not keep the others from their turn.
    await cleanUpOne().catch(error => process.stderr.write(`parapet: ${(error as Error).message}\n`));
  }
  clearTimeout(overdue);
}
