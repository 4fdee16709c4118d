import { readdirSync } from 'node:fs';
import { selfTimes } from './bench/profile/self-times.ts';
for (const f of readdirSync('/tmp/prof')) { const r = selfTimes('/tmp/prof/' + f, 0n); console.log(f); for (const x of r.packages.slice(0, 12)) console.log(x.name, x.milliseconds.toFixed(0), (x.share * 100).toFixed(0)); for (const x of r.functions.slice(0, 25)) console.log('  ', x.name, x.milliseconds.toFixed(0)); }
