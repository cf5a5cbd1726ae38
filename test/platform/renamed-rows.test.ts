import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../src/platform/db/migrate.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { rowsOf } from '../support/world.ts';

const directory = mkdtempSync(join(tmpdir(), 'manilla-migrations-'));
let empty: TestDatabase;

beforeAll(async () => {
  empty = await createEmptyDatabase();
});

afterAll(async () => {
  await empty.drop();
  rmSync(directory, { recursive: true, force: true });
});

function migrateWith(isTaken: (name: string) => boolean) {
  for (const name of readdirSync('migrations').filter(isTaken)) cpSync(join('migrations', name), join(directory, name));
  return migrate({ connectionString: empty.connectionString, directory, logger: createLogger('silent') });
}

const ID = `'00000000-0000-7000-8000-00000000000`;

/** As the release before the renaming wrote them. */
const KEPT = [
  `insert into claims values (${ID}1', 'LIVE', 'TRANSACTION_REFERENCE', 'taken', ${ID}2', now())`,
  `insert into marks values (${ID}1', 'LIVE', 'APPROVAL_RULES', 'IN_FORCE', ${ID}2', '2026-11-20T12:00Z')`,
  `insert into allowances values (${ID}1', 'LIVE', 'PAYOUT_DAY', '2026-11-20', 700)`,
  `insert into sign_in_tries values ('hash', 4, now(), null)`,
  `insert into sessions (id, person_id, stage, secret_hash, created_at, last_seen_at, expires_at, ip, user_agent)
   select gen_random_uuid(), gen_random_uuid(), stage, stage, now(), now(), now(), '', '' from (values ('HALF'), ('WHOLE')) s (stage)`,
  `insert into batch_items (merchant_id, mode, id, batch_id, position, amount_minor, bank_code, account_number, narration,
     is_valid, validated_at, created_at, item_errors)
   values (${ID}1', 'LIVE', ${ID}2', ${ID}3', 1, 100, '058', '0123456785', 'Rent', false, now(), now(),
     '[{"code":"ACCOUNT_OWNER_NOT_TOLD_IN_TIME","field":"accountNumber","params":{"minutes":10}}]')`,
];

it('rows of the release before are all there under the new names: what is taken stays taken', async () => {
  await migrateWith((name) => name < '0017');
  for (const sql of KEPT) await rowsOf(empty.connectionString, sql);
  await migrateWith(() => true);
  const read = (sql: string) => rowsOf(empty.connectionString, sql);
  expect(await read('select scope, value from unique_keys')).toEqual([
    { scope: 'TRANSACTION_REFERENCE', value: 'taken' },
  ]);
  expect(await read('select value, reserved_at from reservations')).toEqual([
    { value: 'IN_FORCE', reserved_at: new Date('2026-11-20T12:00Z') },
  ]);
  expect(await read('select period, used_minor::int as used from limit_usage')).toEqual([
    { period: '2026-11-20', used: 700 },
  ]);
  expect(await read('select attempts from sign_in_attempts')).toEqual([{ attempts: 4 }]);
  expect(await read('select secret_hash as was, stage from sessions order by 1')).toEqual([
    { was: 'HALF', stage: 'MFA_PENDING' },
    { was: 'WHOLE', stage: 'FULL' },
  ]);
  const [item] = await rowsOf<{ item_errors: string }>(empty.connectionString, 'select item_errors from batch_items');
  expect(JSON.parse(item?.item_errors ?? '')).toEqual([
    { code: 'NAME_ENQUIRY_TIMED_OUT', field: 'accountNumber', params: { minutes: 10 } },
  ]);
});
