import pg from 'pg';
import { beforeEach } from 'vitest';
import { CITUS_SERVERS } from './citus.ts';

const PLANS = 'reads plans of one server: the coordinator’s have what it asks of others';
const GROUPS = 'counts groups: each shard has a committer of its own there, so that merchants do not share one';

/** Tests about one PostgreSQL, by their files: names that begin so, and why they say nothing where Citus distributes it. */
const OF_ONE_SERVER: Readonly<Record<string, readonly (readonly [beginning: string, reason: string])[]>> = {
  'test/api/list-plans.test.ts': [['', PLANS]],
  'test/api/long-lists.test.ts': [['are not read to say', PLANS]],
  'test/audit/log.test.ts': [['is read by', PLANS]],
  'test/customers/customers.test.ts': [['is found through an index', PLANS]],
  'test/ledger/group-commit.test.ts': [['do not ride with those of a merchant', GROUPS]],
  'test/ledger/locked-checks.test.ts': [['that waits for one before it', GROUPS]],
  'test/ledger/statement-pages.test.ts': [['cost the same', PLANS]],
  'test/refunds/refund-outcomes.test.ts': [['has those of all merchants', PLANS]],
  'test/payouts/dedupe-keys.test.ts': [['are found by their own index', PLANS]],
  'test/payouts/pipeline-fairness.test.ts': [['find their rows by key', PLANS]],
};

/** Tests change rows with what Citus takes no update of: ids at random, and moments that depend on a zone. */
const accepted = (sql: string): string =>
  sql
    .replaceAll('gen_random_uuid()', () =>
      // Another one for each row, where there is one table whose rows have a place.
      /\bfrom\b/i.test(sql) ? `'${crypto.randomUUID()}'` : `md5('${crypto.randomUUID()}' || ctid::text)::uuid`,
    )
    .replaceAll(/\b([a-z_]+) ([-+]) (interval '[^']+')/g, "(($1 at time zone 'UTC' $2 $3) at time zone 'UTC')");

if (CITUS_SERVERS.length > 0) {
  beforeEach(({ task, skip }) => {
    const found = OF_ONE_SERVER[task.file.name]?.find(([beginning]) => task.name.startsWith(beginning));
    if (found !== undefined) skip(found[1]);
  });
  const { prototype } = pg.Client as unknown as {
    prototype: { query: (...given: unknown[]) => unknown; isPatched?: true };
  };
  if (prototype.isPatched !== true) {
    const { query } = prototype;
    prototype.isPatched = true;
    prototype.query = function (this: unknown, ...given: unknown[]) {
      const [sql, ...rest] = given;
      const isUpdate = typeof sql === 'string' && /^\s*update\b/i.test(sql);
      return query.apply(this, isUpdate ? [accepted(sql), ...rest] : given);
    };
  }
}
