import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorsOf, reasonOf, warningsOf } from '../../src/batches/problems.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

const logger = createLogger('silent');
const directory = mkdtempSync(join(tmpdir(), 'manilla-migrations-'));
let empty: TestDatabase;
let database: Database;

beforeAll(async () => {
  empty = await createEmptyDatabase();
  database = openDatabase({ connectionString: empty.connectionString, maxConnections: 1, logger });
});

afterAll(async () => {
  await database.close();
  await empty.drop();
  rmSync(directory, { recursive: true, force: true });
});

function migrateWith(isTaken: (name: string) => boolean) {
  for (const name of readdirSync('migrations').filter(isTaken)) cpSync(join('migrations', name), join(directory, name));
  return migrate({ connectionString: empty.connectionString, directory, logger });
}

const SENTENCE = 'The account belongs to "ADA OBI" at GTBank, which is not much like the given name "Musa".';

it('items kept with sentences say the same after the migration to data', async () => {
  await migrateWith((name) => name < '0013');
  await database.pool.query(
    `insert into batch_items (merchant_id, mode, id, batch_id, position, amount_minor, bank_code, account_number, narration,
       account_name, bank_name, given_name, is_valid, reason, warnings, validated_at, created_at)
     select gen_random_uuid(), 'SANDBOX', gen_random_uuid(), gen_random_uuid(), place, 100, '058', '0123456785', 'Rent',
            name, 'GTBank', 'Musa', name is not null, reason, warnings, now(), now()
       from (values (1, 'ADA OBI', null, $1), (2, null, 'It is wrong. "Very".', null)) as given (place, name, reason, warnings)`,
    [JSON.stringify(['Odd.', SENTENCE])],
  );
  await migrateWith(() => true);
  const all = statement<Parameters<typeof reasonOf>[0] & Parameters<typeof warningsOf>[0]>(
    'list-kept-items',
    'select item_errors, item_warnings, repeats from batch_items order by position',
  );
  const [valid, invalid] = await database.query(all, []);
  if (valid === undefined || invalid === undefined) throw new Error('two items were kept');
  expect([reasonOf(valid), reasonOf(invalid)]).toEqual([null, 'It is wrong. "Very".']);
  expect(errorsOf(invalid)).toMatchObject([{ code: 'OTHER', field: null }]);
  expect(warningsOf(valid).map(({ message }) => message)).toEqual(['Odd.', SENTENCE]);
  expect(warningsOf(valid).map(({ code, field }) => [code, field])).toEqual([
    ['OTHER', null],
    ['NAME_DIFFERS', 'accountName'],
  ]);
  expect(warningsOf(invalid)).toEqual([]);
});
