import type { Answer } from '../../cli/client.ts';
import type { SignedRequest } from '../../cli/sign-request.ts';
import { type Colours, coloursFor, columnsOf, wrap } from '../../cli/terminal.ts';

/** Writes the demonstration's story, step by step. */
export class Narrator {
  readonly colours: Colours;
  readonly columns: number;
  readonly #out: NodeJS.WriteStream;
  #step = 0;

  constructor(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.#out = out;
    this.colours = coloursFor(out, env);
    this.columns = columnsOf(out);
  }

  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  /** A heading with its one-sentence why. */
  step(title: string, why: string): void {
    this.line();
    this.line(this.colours.bold(`${++this.#step}. ${title}`));
    this.paragraph(why, '   ');
  }

  paragraph(text: string, indent = ''): void {
    for (const line of wrap(text, this.columns - indent.length)) this.line(indent + line);
  }

  /** What was sent, with every header, and the text that the signature is for. */
  requestInFull(request: SignedRequest): void {
    this.#requestLine(request);
    for (const [name, value] of Object.entries(request.headers)) {
      this.line(`     ${this.colours.dim(`${name}: ${shown(name, value)}`)}`);
    }
    this.#body(request);
    this.paragraph('The signature is an Ed25519 signature of this one line, the canonical message:', '   ');
    // Not wrapped: it is one line, to be compared.
    this.line(`     ${this.colours.cyan(request.canonicalMessage)}`);
  }

  /** What was sent, with the headers that change every time. */
  request(request: SignedRequest): void {
    this.#requestLine(request);
    const changing = Object.entries(request.headers)
      .filter(([name]) => /-(timestamp|nonce|signature)$/.test(name))
      .map(([name, value]) => `${name.replace(/^.*-/, '')} ${shorter(value)}`);
    this.line(`     ${this.colours.dim(`signed: ${changing.join(', ')}`)}`);
    this.#body(request);
  }

  /** The answer's status, and what is worth a look in it. */
  answer(answer: Answer, facts: Readonly<Record<string, unknown>>): void {
    const { green, red } = this.colours;
    const colour = answer.status < 300 ? green : red;
    this.line(`   ${colour(`${answer.status} ${answer.statusText}`)} in ${answer.milliseconds} ms`);
    this.facts(facts);
  }

  facts(facts: Readonly<Record<string, unknown>>): void {
    const width = Math.max(0, ...Object.keys(facts).map(name => name.length));
    for (const [name, value] of Object.entries(facts)) {
      const [first = '', ...rest] = wrap(String(value), this.columns - width - 7);
      this.line(`     ${this.colours.dim(name.padEnd(width))}  ${first}`);
      for (const line of rest) this.line(`${' '.repeat(width + 7)}${line}`);
    }
  }

  #requestLine({ method, target }: SignedRequest): void {
    this.line(`   ${this.colours.bold(method)} ${target}`);
  }

  #body({ body }: SignedRequest): void {
    if (body === undefined) return;
    for (const line of wrap(String(body), this.columns - 5)) this.line(`     ${line}`);
  }
}

/** The token is a secret also where it will be gone in a minute: nobody should get used to seeing one. */
function shown(name: string, value: string): string {
  if (name === 'authorization') return value.replace(/^(Bearer svc_[a-z]+_).*$/, '$1***');
  return name.endsWith('-signature') ? shorter(value) : value;
}

function shorter(value: string): string {
  return value.length > 24 ? `${value.slice(0, 8)}…${value.slice(-8)}` : value;
}
