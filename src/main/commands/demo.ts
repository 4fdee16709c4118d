import type { Command } from 'commander';
import { Client } from '../../cli/client.ts';
import { blockedAddress } from '../../surfaces/connection/target-allowlist.ts';
import { showFindings, showNextSteps } from '../demo/closing.ts';
import { offerDashboard } from '../demo/dashboard-access.ts';
import { type Interruption, listenForInterruption } from '../demo/interruption.ts';
import { Narrator } from '../demo/narrator.ts';
import { notPublic, runStory } from '../demo/story.ts';
import { mintClient, startThrowAwayService } from '../demo/throw-away-service.ts';
import { startSampleSite } from '../sample-site/sample-site.ts';
import { makeThrowAwayFolder } from '../throw-away-folder.ts';

interface Options {
  readonly exit?: boolean;
}

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('run a guided demo in a temporary service, from the first signed call to findings')
    .argument('[url]', 'scan this website instead of the sample site; you must be authorized to test it')
    .option('--exit', 'exit after the findings, for CI')
    .action(run);
}

/** In the order in which resources were created; they are removed in reverse. */
type CleanUps = (() => Promise<unknown>)[];

const cleanUpSeconds = 30;

async function run(url: string | undefined, options: Options): Promise<void> {
  const interruption = listenForInterruption();
  const cleanUps: CleanUps = [];
  let done = false;
  try {
    const showNextSteps = await show(url, interruption, cleanUps);
    done = true;
    if (options.exit) return;
    showNextSteps();
    await interruption.happened;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
  } finally {
    if (interruption.signal.aborted) process.stderr.write('\nRemoving the demo.\n');
    await cleanUp(cleanUps);
    if (!done && interruption.signal.aborted) process.exitCode = interruption.exitStatus();
  }
}

/** @returns a function that prints the next steps, for when the service stays up */
async function show(
  url: string | undefined,
  interruption: Interruption,
  cleanUps: CleanUps,
): Promise<() => void> {
  const { signal, race } = interruption;
  // The sample site is on loopback, which the target guard blocks by default. A given URL uses the operator's allowlist.
  const allowlist = url === undefined ? '127.0.0.0/8,::1/128' : (process.env.PARAPET_TARGET_ALLOWLIST ?? '');
  if (url !== undefined && blockedAddress(allowlist.split(','))(url)) throw notPublic(url);
  const narrator = new Narrator(process.stdout, process.env);
  narrator.line(narrator.colors.bold('Parapet demo: from the first signed call to findings'));

  narrator.step(
    'Start the service',
    'PostgreSQL in a temporary folder, and the API on a free loopback port.',
  );
  const folder = await makeThrowAwayFolder();
  cleanUps.push(folder.remove);
  const starting = startThrowAwayService(folder.path, allowlist, signal);
  // A service that is still starting cannot be stopped: wait for it, even when interrupted.
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
      ? { 'sample site': `${site.url} (deliberately vulnerable)` }
      : { website: `${url} (you confirm that you are authorized to test it)` },
  );

  narrator.step(
    'Create an organization and an API key',
    'Run by the operator on the host: `parapet organizations create` and `parapet keys mint`. Parapet stores only a hash of the token and the public key.',
  );
  const { organizationId, environment, settings, scopes } = await race(
    mintClient(service, 'Harbor View Clinic'),
  );
  narrator.facts({ token: 'svc_live_***', 'token id': settings.tokenId, scopes: scopes.join(', ') });

  const result = await runStory(new Client(settings), site?.host ?? url!, narrator, signal);
  showFindings(result, settings.url, narrator);
  const access = await race(offerDashboard(service, organizationId));
  return () => showNextSteps({ result, environment, access, siteUrl: site?.url }, narrator);
}

async function cleanUp(cleanUps: CleanUps): Promise<void> {
  const overdue = setTimeout(() => {
    process.stderr.write(`parapet: the demo could not be removed within ${cleanUpSeconds} s\n`);
    process.exit(1);
  }, cleanUpSeconds * 1000);
  for (const cleanUpOne of cleanUps.reverse()) {
    // A failed clean-up must not prevent the others.
    await cleanUpOne().catch(error => process.stderr.write(`parapet: ${(error as Error).message}\n`));
  }
  clearTimeout(overdue);
}
