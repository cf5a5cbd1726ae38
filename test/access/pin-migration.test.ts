import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPinGuard, slowHash } from '../../src/access/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { MIGRATIONS_DIRECTORY, migrate } from '../../src/platform/db/migrate.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { outcome, silent, testSecrets } from './access-database.ts';

const BEFORE = 240;

/** A row with something in every column that the schema of that time wants filled. */
async function insertAnyMerchant({ pool }: Database, id: string): Promise<void> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_name = 'merchants' and is_nullable = 'NO'`,
  );
  const fillers: Record<string, unknown> = { boolean: false, ARRAY: [], uuid: id, text: '' };
  const row = Object.fromEntries(rows.map(({ name, type }) => [name, fillers[type] ?? new Date()]));
  const states = { status: 'PENDING', initial_status: 'NEW', review_status: 'PENDING' };
  await pool.query('insert into merchants select * from jsonb_populate_record(null::merchants, $1)', [
    JSON.stringify({ ...row, ...states, id }),
  ]);
}
const PIN = '7294';

it('the one PIN of a merchant becomes the PIN of both modes, with its attempts and its lock', async () => {
  const { connectionString, drop } = await createEmptyDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'manilla-migrations-'));
  const database = openDatabase({ connectionString, maxConnections: 4, logger: silent });
  const secrets = testSecrets();
  try {
    const files = readdirSync(MIGRATIONS_DIRECTORY).filter((name) => Number(name.slice(0, 4)) < BEFORE);
    for (const name of files) cpSync(join(MIGRATIONS_DIRECTORY, name), join(directory, name));
    await migrate({ connectionString, directory, logger: silent });
    const [quiet, locked] = [newId(), newId()];
    const lockedUntil = new Date(Date.now() + 60_000);
    for (const [id, tries, until] of [[quiet, 3, null] as const, [locked, 5, lockedUntil] as const]) {
      await insertAnyMerchant(database, id);
      const hash = await slowHash(secrets.hmac('pin', `${id}:${PIN}`));
      await database.pool.query(
        `insert into merchant_pins (merchant_id, pin_hash, version, failed_tries, last_failed_at, locked_until, set_at)
         values ($1, $2, 4, $3, now(), $4, now())`,
        [id, hash, tries, until],
      );
    }
    await migrate({ connectionString, logger: silent });

    const guard = createPinGuard({ database, secrets, clock: systemClock });
    const verify = (merchantId: string, mode: Mode, pin: string) => {
      const principal = { tenant: { merchantId, mode }, pin: { version: 4, lockedUntil: null } };
      return outcome(() => guard.verifyPin(principal as never, pin));
    };
    expect(await verify(quiet, 'SANDBOX', '1300')).toBe('PIN_INVALID');
    expect(await verify(quiet, 'SANDBOX', '1301')).toBe('PIN_LOCKED');
    expect(await verify(quiet, 'LIVE', PIN)).toBe('ok');
    for (const mode of ['SANDBOX', 'LIVE'] as const) expect(await verify(locked, mode, PIN)).toBe('PIN_LOCKED');
  } finally {
    await database.close();
    await drop();
    rmSync(directory, { recursive: true, force: true });
  }
});
