import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStartChecks } from '../../src/start-checks.ts';
import { createTestBase, type TestBase } from '../support/base.ts';
import { rowsOf } from '../support/world.ts';

let base: TestBase;
beforeAll(async () => {
  base = await createTestBase();
});
afterAll(() => base.close());

/** What a new process finds before it serves anything: a setting of the database holds for new connections. */
async function checked(synchronousCommit: string): Promise<void> {
  const name = new URL(base.connectionString).pathname.slice(1);
  await rowsOf(base.connectionString, `alter database ${name} set synchronous_commit = ${synchronousCommit}`, []);
  const database = base.open(1);
  const checks = createStartChecks({ ...base, database });
  try {
    await checks.beforeMigration();
  } finally {
    checks.end();
    await database.close();
  }
}

/** With real processes, and where it could not be asked at first: test/platform/durability.test.ts. */
describe('a database that acknowledges commits before they are on disk', () => {
  it('ends the start, with what to set', async () => {
    await expect(checked('off')).rejects.toThrow(
      /acknowledges commits before they are on disk: synchronous_commit is off.*Set it to on, or to a remote_\* level\.$/,
    );
  });

  it.each(['on', 'local', 'remote_write', 'remote_apply'])('is not one that has it %s', (level) => checked(level));
});
