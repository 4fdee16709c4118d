import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SandboxProcess } from './process.ts';
import { type Observer, Spawner } from './spawner.ts';

const program = fileURLToPath(
  new URL('../../test/support/sandbox-programs/misbehaving.cjs', import.meta.url),
);

class CountingSpawner extends Spawner {
  kills = 0;

  override start(observer: Observer): () => void {
    const kill = super.start(observer);
    return () => {
      this.kills += 1;
      kill();
    };
  }
}

it('is killed once, however often it is asked for', async () => {
  const spawner = new CountingSpawner(program, 0);
  const started = new SandboxProcess(spawner);
  for (let count = 0; count < 3; count++) started.kill();
  await started.ended;
  started.kill();
  expect(spawner.kills).toBe(1);
  await spawner.close();
});
