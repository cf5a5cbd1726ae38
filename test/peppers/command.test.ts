import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DemoFile } from '../../src/demo/index.ts';
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
    expect(output).toContain('is laid over 1 PINs');
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
});
