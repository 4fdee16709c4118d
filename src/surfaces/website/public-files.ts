import { deepPathsFor } from '../../captures/exposure-paths.ts';
import type { ExposureKind, ExposurePath } from '../../captures/listed-paths.ts';
import type { Technology } from '../../captures/technologies.ts';
import type { ExposureCapture, HttpResponse, OriginExposure, PageScript } from '../../captures/website.ts';
import { copiesOfFiles } from './copies-of-files.ts';
import { probeElsewhere } from './elsewhere.ts';
import { ExposureProbing } from './exposure.ts';
import { namedEndpoints } from './graphql.ts';
import { pathsOfPage } from './paths-of-page.ts';
import { furtherPaths, openPathsAt, type Reach, urgentPaths } from './reach.ts';
import type { Session } from './session.ts';
import { technologiesOf } from './technologies.ts';

interface Start {
  readonly origin: string;
  readonly visits: readonly HttpResponse[];
  /** Locators of open findings. */
  readonly open: readonly string[];
  /** The same, and that of a finding to verify. */
  readonly places: readonly string[];
}

/** Requests files and services that a site may expose: a few before the scripts, most after them, by what the site shows it is. */
export class PublicFiles {
  readonly #probing: ExposureProbing;
  readonly #origin: string;
  readonly #reach: Reach;
  readonly #shown: ReadonlySet<Technology>;
  /** Paths of open findings. */
  readonly #open: readonly ExposurePath[];
  /** Paths of robots.txt. */
  readonly #named: readonly ExposurePath[];
  /** Copies of files that the page links to. */
  #copies: readonly ExposurePath[] = [];
  readonly #leftOut: ExposureKind[] = [];
  #elsewhere: readonly OriginExposure[] = [];

  private constructor(
    { target, client, reach }: Session,
    { origin, visits, open }: Start,
    probing: ExposureProbing,
  ) {
    this.#probing = probing;
    this.#origin = origin;
    this.#reach = reach;
    this.#shown = technologiesOf([...visits, ...probing.controls]);
    this.#open = openPathsAt(origin, target.site.hostname, open);
    this.#named = client
      .pathsOfRobots(new URL(origin).host)
      .map((path): ExposurePath => ({ path, kind: 'named' }));
  }

  /** Requests the most important paths, and those of open findings. */
  static async begin(session: Session, start: Start): Promise<PublicFiles> {
    const { client, target, reach } = session;
    const files = new PublicFiles(session, start, await ExposureProbing.begin(client, start.origin));
    await files.#probing.ask([...reach.placePaths, ...files.#open, ...urgentPaths(files.#shown)], 'safe');
    const site = { hostname: target.site.hostname, origin: start.origin };
    files.#elsewhere = await probeElsewhere(client, site, start.places);
    return files;
  }

  /** Requests paths that the page and its scripts suggest. */
  async askOfPage(page: HttpResponse, scripts: readonly PageScript[]): Promise<void> {
    const { paths, deepPaths, leftOut } = pathsOfPage(page, scripts, this.#origin, this.#reach);
    this.#leftOut.push(...leftOut);
    this.#copies = copiesOfFiles(page, this.#origin);
    await this.#probing.ask(paths, 'safe');
    await this.#probing.ask(deepPaths, 'full');
  }

  /** Requests the rest of the paths. @param others requests of a safe scan for scripts and of other origins, which take their place */
  async askOthers(others: number): Promise<void> {
    const { safely, named, copies, deepPaths } = this.#reach;
    const namedSafely = [...this.#named.slice(0, safely.named), ...this.#copies.slice(0, safely.copies)];
    await this.#probing.ask(namedSafely, 'safe');
    await this.#probing.ask(furtherPaths(this.#shown, others, [...namedSafely, ...this.#open]), 'safe');
    await this.#probing.ask(this.#named.slice(safely.named, named), 'full');
    await this.#probing.ask(this.#copies.slice(safely.copies, copies), 'full');
    await this.#probing.ask(
      deepPaths.filter(({ kind }) => kind === 'graphql'),
      'full',
    );
  }

  /** For full scans: the paths that may use up the requests. */
  async askDeepPaths(): Promise<void> {
    await this.#probing.ask(deepPathsFor(this.#shown, this.#reach.deepPaths), 'full');
  }

  /** For full scans: asks GraphQL endpoints by POST, also those that the page or its scripts name. */
  async askGraphql(page: HttpResponse, scripts: readonly PageScript[]): Promise<void> {
    await this.#probing.askGraphqlByPost(namedEndpoints(page, scripts, this.#origin));
  }

  async end(): Promise<ExposureCapture> {
    return { ...(await this.#probing.end()), left_out: this.#leftOut, elsewhere: this.#elsewhere };
  }
}
