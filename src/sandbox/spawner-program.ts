import { readFileSync } from 'node:fs';
import { runSpawner } from './run-spawner.ts';

const [, , programFile, groupNice] = process.argv;
runSpawner(readFileSync(programFile!), groupNice!);
