const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+).*\bSafari\//],
] as const;

const systems = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** `Firefox 140 on Linux`; the start of the header where it names no known browser. */
export function browserName(userAgent: string): string {
  const [browser, version] =
    browsers.map(([name, form]) => [name, form.exec(userAgent)?.[1]]).find(([, found]) => found) ?? [];
  const system = systems.find(([, form]) => form.test(userAgent))?.[0];
  if (!browser) return userAgent.slice(0, 60) || 'Unknown browser';
  return `${browser} ${version}${system ? ` on ${system}` : ''}`;
}
