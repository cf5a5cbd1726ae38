import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import type { DemoFile } from '../../src/demo/index.ts';
import { requireSecrets } from '../../src/peppers/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { addPepperToFile, createSecrets, loadOrCreateSecrets } from '../../src/platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  makeDataDir,
  readDemo,
  removeDataDir,
  runCommand,
  type ServiceProcess,
  startService,
} from '../support/service.ts';

let dataDir: string;
let database: TestDatabase | undefined;
const services: ServiceProcess[] = [];
afterEach(async () => {
  await removeDataDir(dataDir, services.splice(0));
  await database?.drop();
  database = undefined;
});

async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService({ dataDir, env });
  services.push(service);
  return service;
}

async function debit({ baseUrl }: ServiceProcess, demo: DemoFile): Promise<number> {
  const headers = { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ pin: demo.pin, amount: 1, storeId: demo.storeIds[0], narration: 'Works' });
  return (await fetch(`${baseUrl}/branch/store/debit`, { method: 'POST', headers, body })).status;
}

describe('rotate-pepper', () => {
  it('with secrets.json makes the new one, keeps the old and lays it over what is stored, while no service runs', async () => {
    dataDir = makeDataDir();
    const file = join(dataDir, 'secrets.json');
    const secretsNow = () => JSON.parse(readFileSync(file, 'utf8'));
    const service = await start();
    const demo = readDemo(dataDir);
    const before = secretsNow();
    const refused = await runCommand(dataDir, ['admin', 'rotate-pepper']);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('Stop it first')]);
    expect(secretsNow()).toEqual(before);
    expect(await service.end('SIGTERM')).toBe(0);

    const { code, output } = await runCommand(dataDir, ['admin', 'rotate-pepper']);
    expect(code, output).toBe(0);
    expect(output).toContain('is laid over 1 PIN and ');
    expect(output).toContain('a `serve` or `work` has outlived the database');
    const after = secretsNow();
    expect([after.previousPinPeppers, after.keyEncryptionKey]).toEqual([[before.pinPepper], before.keyEncryptionKey]);
    expect(after.pinPepper).not.toBe(before.pinPepper);
    for (const secret of [before.pinPepper, after.pinPepper]) expect(output).not.toContain(secret);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

    const again = await start();
    expect(await debit(again, demo)).toBe(200);
    const { output: proof } = await runCommand(dataDir, ['verify']);
    expect(proof).toContain('The books are right.');
  });

  it('with settings prints what to set, the start without the old pepper is refused, and with both it is finished', async () => {
    dataDir = makeDataDir();
    database = await createTestDatabase();
    const pepper = 'a pepper, of more than thirty letters 100%';
    const settings = {
      DATABASE_URL: database.connectionString,
      DEMO_DATA: 'true',
      PIN_PEPPER: pepper,
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const service = await start(settings);
    const demo = readDemo(dataDir);
    const rotated = await runCommand(dataDir, ['admin', 'rotate-pepper'], settings);
    expect(rotated.code, rotated.output).toBe(0);
    expect(await debit(service, demo)).toBe(200);
    await service.end('SIGTERM');
    const given = Object.fromEntries(
      [...rotated.output.matchAll(/^(PIN_PEPPER\w*)=(.+)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(Object.keys(given)).toEqual(['PIN_PEPPER', 'PIN_PEPPER_PREVIOUS']);

    const alone = runCommand(dataDir, ['serve'], { ...settings, PIN_PEPPER: given['PIN_PEPPER'] ?? '' });
    expect(await alone).toMatchObject({
      code: 1,
      output: expect.stringMatching(/still needs peppers.*\n.*1 PIN, 4 API keys/),
    });
    const finished = await runCommand(dataDir, ['admin', 'rotate-pepper', '--finish'], { ...settings, ...given });
    expect(finished.output).toMatch(/PINs 1 \(0 under it alone\)\tkeys 4.*\tneeded until/);
    expect(await debit(await start({ ...settings, ...given }), demo)).toBe(200);
  });

  it('is refused while another one is under way, which would lay a pepper over all that no file has then', async () => {
    dataDir = makeDataDir();
    database = await createTestDatabase();
    const { connectionString } = database;
    const opened = openDatabase({ connectionString, maxConnections: 4, logger: createLogger('silent') });
    /** Without the service that the cluster of these tests is. */
    const noService = (asked: () => Promise<void>) =>
      Object.create(opened, {
        query: {
          async value(statement: { name: string }, values: unknown[]) {
            if (statement.name !== 'count-services') return opened.query(statement as never, values);
            await asked();
            return [{ services: 0 }];
          },
        },
      }) as Database;
    const reached = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const slow = noService(() => {
      reached.resolve();
      return goesOn.promise;
    });
    const secrets = loadOrCreateSecrets(dataDir);
    const warned: string[] = [];
    const rotate = (on: Database) =>
      runAdmin(['rotate-pepper'], {
        ...{ database: on, secrets, clock: systemClock, actor: 'root' },
        ...{ print: () => undefined, warn: (line: string) => warned.push(line) },
        peppers: { file: { add: () => addPepperToFile(dataDir), remove: () => undefined }, settingsWithNew: () => [] },
      } as unknown as AdminDeps);
    const first = rotate(slow);
    await reached.promise;
    expect(await rotate(noService(async () => undefined))).toBe(1);
    expect(warned.join()).toContain('Another process changes the peppers');
    goesOn.resolve();
    expect(await first).toBe(0);
    expect(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).previousPinPeppers).toHaveLength(1);
    await opened.close();
  });
});

describe('verify', () => {
  it('says that nothing sealed opens where the secrets are those of another installation, and proves the books all the same', async () => {
    dataDir = makeDataDir();
    database = await createTestDatabase();
    const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
    const settings = {
      DATABASE_URL: database.connectionString,
      PIN_PEPPER: 'a pepper, of more than thirty letters',
      KEY_ENCRYPTION_KEY: keyOf(7),
    };
    const secrets = createSecrets(settings.PIN_PEPPER, settings.KEY_ENCRYPTION_KEY);
    const opened = openDatabase({
      connectionString: database.connectionString,
      maxConnections: 1,
      logger: createLogger('silent'),
    });
    await requireSecrets({ queries: opened, secrets, clock: systemClock });
    await opened.close();
    const own = await runCommand(dataDir, ['verify'], settings);
    expect([own.code, own.output]).toEqual([0, expect.not.stringContaining('not the secrets of this database')]);
    const others = await runCommand(dataDir, ['verify'], { ...settings, KEY_ENCRYPTION_KEY: keyOf(8) });
    expect(others).toMatchObject({ code: 0, output: expect.stringContaining('The books are right.') });
    expect(others.output).toContain('These are not the secrets of this database: no start will take them.');
    expect(others.output).toContain(`this database is sealed under ${secrets.encryptionKeyId}.`);
  });
});
