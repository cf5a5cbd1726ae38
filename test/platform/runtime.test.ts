import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RUNTIME } from '../support/service.ts';

const TRIALS = fileURLToPath(new URL('./runtime-trials.ts', import.meta.url));

/** Descriptors of a process that has few: it takes some dozens by itself. */
const FEW_FILES = 160;

/** @param files how many descriptors it may have at most */
async function tried(trial: string, files = 'unlimited' as 'unlimited' | number): Promise<unknown> {
  const limit = files === 'unlimited' ? '' : `ulimit -n ${files}; `;
  const command = ['-c', `${limit}exec "$0" "$@"`, RUNTIME, TRIALS, trial];
  const child = spawn('sh', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = (await text(child.stdout)).trim().split('\n');
  return JSON.parse(lines.at(-1) || 'null');
}

/** With SERVICE_RUNTIME=… of another program: docs/decisions/node-or-bun.md says what came of it. */
describe('the program that runs the service', () => {
  it('ends a thread at its heap limit: a file that was made to fill the memory costs nobody else anything', async () => {
    expect(await tried('heap-limit')).toEqual({ ended: 'ERR_WORKER_OUT_OF_MEMORY' });
  });

  it('says that the machine is busy where a list cannot be read for want of file descriptors, however few there are', async () => {
    expect(await tried('few-files', FEW_FILES)).toEqual(['OVERLOADED', 'READ']);
  });

  it('connects to the address that was checked and to none that was refused', async () => {
    const refused = 'The address leads to a private or reserved network.';
    const heard = ['/allowed'];
    expect(await tried('guarded-connection')).toEqual({ loopback: refused, metadata: refused, allowed: null, heard });
  });

  it('answers what is under way before a server that closes is gone', async () => {
    expect(await tried('farewell')).toEqual({ answer: 'answered' });
  });
});
