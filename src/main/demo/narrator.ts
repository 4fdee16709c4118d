import type { Answer } from '../../cli/client.ts';
import type { SignedRequest } from '../../cli/sign-request.ts';
import { type Colors, colorsFor, columnsOf, wrap } from '../../cli/terminal.ts';

/** Prints the demo, step by step. */
export class Narrator {
  readonly colors: Colors;
  readonly columns: number;
  readonly #out: NodeJS.WriteStream;
  #step = 0;

  constructor(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.#out = out;
    this.colors = colorsFor(out, env);
    this.columns = columnsOf(out);
  }

  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  /** Prints a numbered heading and one line of explanation. */
  step(title: string, why: string): void {
    this.line();
    this.line(this.colors.bold(`${++this.#step}. ${title}`));
    this.paragraph(why, '   ');
  }

  paragraph(text: string, indent = ''): void {
    for (const line of wrap(text, this.columns - indent.length)) this.line(indent + line);
  }

  /** Prints a request with every header and its canonical message. */
  requestInFull(request: SignedRequest): void {
    this.#requestLine(request);
    for (const [name, value] of Object.entries(request.headers)) {
      this.line(`     ${this.colors.dim(`${name}: ${shown(name, value)}`)}`);
    }
    this.#body(request);
    this.paragraph('The signature is Ed25519 over the canonical message:', '   ');
    // Never wrapped: the canonical message is a single line.
    this.line(`     ${this.colors.cyan(request.canonicalMessage)}`);
  }

  /** Prints a request with the headers that change with every request. */
  request(request: SignedRequest): void {
    this.#requestLine(request);
    const changing = Object.entries(request.headers)
      .filter(([name]) => /-(timestamp|nonce|signature)$/.test(name))
      .map(([name, value]) => `${name.replace(/^.*-/, '')} ${shorter(value)}`);
    this.line(`     ${this.colors.dim(`signed: ${changing.join(', ')}`)}`);
    this.#body(request);
  }

  /** Prints the status and selected fields of an answer. */
  answer(answer: Answer, facts: Readonly<Record<string, unknown>>): void {
    const { green, red } = this.colors;
    const color = answer.status < 300 ? green : red;
    this.line(`   ${color(`${answer.status} ${answer.statusText}`)} in ${answer.milliseconds} ms`);
    this.facts(facts);
  }

  facts(facts: Readonly<Record<string, unknown>>): void {
    const width = Math.max(0, ...Object.keys(facts).map(name => name.length));
    for (const [name, value] of Object.entries(facts)) {
      const [first = '', ...rest] = wrap(String(value), this.columns - width - 7);
      this.line(`     ${this.colors.dim(name.padEnd(width))}  ${first}`);
      for (const line of rest) this.line(`${' '.repeat(width + 7)}${line}`);
    }
  }

  #requestLine({ method, target }: SignedRequest): void {
    this.line(`   ${this.colors.bold(method)} ${target}`);
  }

  #body({ body }: SignedRequest): void {
    if (body === undefined) return;
    for (const line of wrap(String(body), this.columns - 5)) this.line(`     ${line}`);
  }
}

/** Masks the token: even a short-lived secret does not belong in terminal output or CI logs. */
function shown(name: string, value: string): string {
  if (name === 'authorization') return value.replace(/^(Bearer svc_[a-z]+_).*$/, '$1***');
  return name.endsWith('-signature') ? shorter(value) : value;
}

function shorter(value: string): string {
  return value.length > 24 ? `${value.slice(0, 8)}…${value.slice(-8)}` : value;
}
