/** A fix in parts: what holds for all, then what is done where. */
export interface Fix {
  readonly general: string;
  readonly stacks: readonly { readonly name: string; readonly text: string }[];
}

/** Products that fixes name, each with a colon behind it. */
const names = [
  'nginx',
  'Apache',
  'Caddy',
  'lighttpd',
  'IIS',
  'Express',
  'PHP',
  'Laravel',
  'Symfony',
  'Django',
  'Rails',
  'ASP\\.NET',
  'Spring Boot',
  'Tomcat',
  'webpack',
  'Vite',
  'MariaDB',
  'MySQL',
  'Google Workspace',
];
const label = new RegExp(`(?:^|\\s)(${names.join('|')}): `, 'g');

/** Takes a fix apart where it names products. What is between backticks is code, and left alone. */
export function partsOfFix(text: string): Fix {
  let general = '';
  const stacks: { name: string; text: string }[] = [];
  const add = (piece: string) => {
    const last = stacks.at(-1);
    if (last) last.text += piece;
    else general += piece;
  };
  text.split('`').forEach((part, index) => {
    if (index % 2 === 1) {
      add(`\`${part}\``);
      return;
    }
    let from = 0;
    for (const match of part.matchAll(label)) {
      add(part.slice(from, match.index));
      stacks.push({ name: match[1]!, text: '' });
      from = match.index + match[0].length;
    }
    add(part.slice(from));
  });
  return { general: general.trim(), stacks: stacks.map(({ name, text: of }) => ({ name, text: of.trim() })) };
}

/** The code that a text begins with, and the rest of it. */
export function leadingCode(text: string): { code: string | undefined; rest: string } {
  const [, code, rest = text] = /^`([^`]+)`[.;,]?\s*(.*)$/s.exec(text) ?? [];
  return { code, rest };
}
