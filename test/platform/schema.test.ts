import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemaText } from '../../scripts/schema-text.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let migrated: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  migrated = await createTestDatabase();
  client = new pg.Client({ connectionString: migrated.connectionString });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await migrated.drop();
});

it('docs/schema.sql is what the migrations make; npm run schema writes it anew', async () => {
  expect(readFileSync('docs/schema.sql', 'utf8').replaceAll('\r\n', '\n')).toBe(await schemaText(client));
});

it.each([
  ['a new column', 'alter table stores add column note text'],
  ['a new index', 'create index stores_by_name on stores (merchant_id, name)'],
  [
    'a changed condition',
    `alter table stores drop constraint stores_mode, add constraint stores_mode check (mode = 'LIVE')`,
  ],
  ['a changed comment', `comment on table stores is 'Branches.'`],
])('docs/schema.sql is stale after %s', async (_, change) => {
  const before = await schemaText(client);
  await client.query('begin');
  await client.query(change);
  expect(await schemaText(client)).not.toBe(before);
  await client.query('rollback');
});
