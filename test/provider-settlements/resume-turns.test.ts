import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { resumeSettlements } from '../../src/provider-settlements/index.ts';
import { containerOf, createTestBase, type TestBase } from '../support/base.ts';

let base: TestBase;
beforeAll(async () => {
  base = await createTestBase();
});
afterAll(() => base.close());

it('ten settlements that cannot be gone on with keep no other one from it', async () => {
  const { clock, database } = base;
  const deps = containerOf(base);
  const left = (rail: string, reference: string, minutesAgo: number) =>
    database.pool.query(
      `insert into provider_settlements (id, rail, mode, reference, lump_minor, currency, settled_on, file_name, file_hash, status,
         line_count, imported_by, created_at, decided_by, decided_at, updated_at, digest)
       values ($1, $2, 'LIVE', $3, 0, 'NGN', '2026-11-20', 'a', $3, 'APPLYING', 0, 'a@b', $4, 'p', $4, $4, 'd')`,
      [newId(), rail, reference, new Date(clock.now().getTime() - minutesAgo * 60_000)],
    );
  await database.pool.query(
    `alter table provider_settlements add constraint poison check (not (rail = 'poisoned' and status = 'DONE')) not valid`,
  );
  for (let at = 0; at < 10; at += 1) await left('poisoned', `poisoned-${at}`, 60 - at);
  await left('good', 'good', 20);
  // The ten are left alone for longer each time, and are the first of the list each time that they are not.
  for (let run = 0; run < 3; run += 1) {
    await resumeSettlements(deps, 'LIVE');
    clock.advance(100);
  }
  const { rows } = await database.pool.query(
    'select rail, status, count(*)::int from provider_settlements group by 1, 2',
  );
  expect(rows).toContainEqual({ rail: 'good', status: 'DONE', count: 1 });
  expect(rows).toContainEqual({ rail: 'poisoned', status: 'APPLYING', count: 10 });
  await deps.ledger.drain();
});
