import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import packageJson from '../../package.json' with { type: 'json' };

/**
 * Starts the Chromium of the development dependencies, headless. Its program is unpacked once per version, next to
 * them: in a shared folder for temporary files, other users could replace it. Close it when done.
 *
 * @param parameters additional command line parameters
 */
export async function launchBrowser(parameters: readonly string[] = []): Promise<Browser> {
  const folder = await unpackedBrowser();
  try {
    return await chromium.launch({
      executablePath: join(folder, 'chromium'),
      args: [
        '--headless=shell',
        // Root cannot use the sandbox, and other users may not have one in a container.
        '--no-sandbox',
        '--font-render-hinting=none',
        '--disable-gpu',
        ...parameters,
      ],
      env: { ...process.env, FONTCONFIG_FILE: join(folder, fontsFile) } as Record<string, string>,
    });
  } catch (error) {
    if (/error while loading shared libraries: (\S+):/.test(String(error))) {
      throw new Error(
        `Chromium needs ${/libraries: (\S+):/.exec(String(error))?.[1]}: apt-get install libnss3 libnspr4`,
      );
    }
    throw error;
  }
}

let shared: Promise<Browser> | undefined;

/** One Chromium for all test files of this process, restarted if it has crashed. Each file closes its own windows. */
export async function sharedBrowser(): Promise<Browser> {
  const running = await shared?.catch(() => undefined);
  if (!running?.isConnected()) shared = launchBrowser();
  return shared!;
}

/** Closes every window: those of one file, since the next one has not started. */
export async function closeWindows(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map(context => context.close()));
}

const fontsFile = 'fonts.conf';

/** The fonts of the package, so that there is one on every machine, in addition to the machine's own. */
const fontsOf = (folder: string) => `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`;

/** The folder of the unpacked program. Several test files may request it at once. */
async function unpackedBrowser(): Promise<string> {
  const version = packageJson.devDependencies['@sparticuz/chromium'];
  const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const ours = await mkdtemp(`${folder}-`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = ours;
  try {
    // It unpacks into the current folder for temporary files.
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await writeFile(join(ours, fontsFile), fontsOf(folder));
  await rename(ours, folder).catch(async error => {
    // Another process was faster, and has put the same files there.
    await rm(ours, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
