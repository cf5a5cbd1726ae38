import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { findRunningEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import {
  launchService,
  makeDataDir,
  readDemo,
  removeDataDir,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service.ts';

/** Kill -9 while the first start makes its database, its tables and its demo: the next start finishes what was begun. */
let dataDir: string;
const services: ServiceProcess[] = [];
afterEach(() => removeDataDir(dataDir, services.splice(0)));

/** Starts, and strikes at the moment that is described; false when the service was up before that. */
async function strikeWhen(moment: () => Promise<boolean>): Promise<boolean> {
  const { child, ready } = launchService({ dataDir });
  let up = false;
  const settled = ready.then(
    () => (up = true),
    () => undefined,
  );
  while (!up && child.exitCode === null && !(await moment())) await sleep(2);
  child.kill('SIGKILL');
  await settled;
  return !up;
}

/** There is a row in this table already. */
function hasRow(table: string): () => Promise<boolean> {
  let client: pg.Client | undefined;
  return async () => {
    try {
      if (client === undefined) {
        const connectionString = findRunningEmbeddedPostgres(dataDir);
        if (connectionString === undefined) return false;
        const fresh = new pg.Client({ connectionString });
        fresh.on('error', () => undefined);
        await fresh.connect();
        client = fresh;
      }
      const { rowCount } = await client.query(`select 1 from ${table} limit 1`);
      if (rowCount === 0) return false;
    } catch {
      return false;
    }
    await client.end();
    return true;
  };
}

async function expectDemoThatWorks(): Promise<void> {
  const service = await startService({ dataDir });
  services.push(service);
  const demo = readDemo(dataDir);
  expect([demo.storeIds.length, demo.subaccountIds.length]).toEqual([3, 3]);
  const headers = { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ pin: demo.pin, amount: 1, storeId: demo.storeIds[2], narration: 'Works' });
  const answer = await fetch(`${service.baseUrl}/branch/store/debit`, { method: 'POST', headers, body });
  expect(answer.status, await answer.text()).toBe(200);
  const { code, output } = await runCommand(dataDir, ['verify']);
  expect(code, output).toBe(0);
  expect(await service.end('SIGTERM')).toBe(0);
}

describe('a first start that is killed', () => {
  it('twice while it makes the database, is finished by the next one', async () => {
    dataDir = makeDataDir();
    for (const wait of [400, 900]) {
      const begun = Date.now();
      await strikeWhen(async () => Date.now() - begun > wait);
    }
    await expectDemoThatWorks();
  });

  it.each(['stores', 'people'])('while it makes the demo (%s), is finished by the next one', async (table) => {
    dataDir = makeDataDir();
    expect(await strikeWhen(hasRow(table)), 'struck before the service was up').toBe(true);
    await expectDemoThatWorks();
  });
});

it.each([1, 2])(
  'a start of %i at a port where somebody listens is refused before there is a database',
  async (processes) => {
    dataDir = makeDataDir();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const settings = { PORT: String(port), PROCESSES: String(processes) };
    const { code, output } = await runCommand(dataDir, [], settings);
    other.close();
    expect([code, output]).toEqual([1, expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`)]);
    expect(readdirSync(dataDir)).toEqual(['run-by']);
  },
);

describe('a command that is mistyped', () => {
  it.each([
    ['of another name', ['admin', 'lst-keys'], 'There is no command "lst-keys".'],
    ['without what it needs', ['admin', 'list-keys'], '--merchant is missing.'],
    ['with an option that is none', ['openapi', '--hole'], 'openapi takes one FILE or --whole, and not --hole.'],
    ['with two files', ['openapi', 'a.json', 'b.json'], 'openapi takes one FILE or --whole, and not a.json b.json.'],
    ['without its number', ['serve', '--processes'], '--processes takes a number, 1 to 64.'],
    ['with another option', ['verify', '--archve', 'x'], 'verify takes --archive DIR, and not --archve x.'],
  ])('%s is refused before there is a database', async (_, args, sentence) => {
    dataDir = makeDataDir();
    const { code, output } = await runCommand(dataDir, args);
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(readdirSync(dataDir)).toEqual(['run-by']);
  });

  it('that prints ends well where its reader has seen enough, and with 1 and a sentence where the disk is full', () => {
    dataDir = makeDataDir();
    const main = `${process.execPath} -r ./scripts/require-node.cjs src/main.ts`;
    const run = (script: string) => execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    for (const words of ['openapi --whole', 'admin help']) {
      expect(run(`set -o pipefail; { ${main} ${words} | head -c 9 >/dev/null; } 2>&1; echo $?`)).toBe('0\n');
      expect(run(`${main} ${words} 2>&1 >/dev/full; echo $?`)).toMatch(
        /^What was asked for is done, .* ENOSPC.*\n1\n$/,
      );
    }
  });

  it('by who asks it for help gets that alone: no file of that name is written', async () => {
    dataDir = makeDataDir();
    const { code, output } = await runCommand(dataDir, ['openapi', '--help']);
    const isWritten = existsSync('--help');
    rmSync('--help', { force: true });
    expect([code, output, isWritten]).toEqual([0, expect.stringContaining('Usage: manilla'), false]);
  });
});
