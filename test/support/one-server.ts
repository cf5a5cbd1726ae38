import { beforeEach } from 'vitest';
import { CITUS_SERVERS } from './citus.ts';

const PLANS = 'reads plans of one server: the coordinator’s have what it asks of others';
const GROUPS = 'counts groups: each shard has a committer of its own there, so that merchants do not share one';

const MOMENT = 'is of one moment on one server: each connection to another server has its own there';
const CATALOG = 'reads the catalog of one server: the coordinator’s has what Citus made of the tables';

const DESCRIBED = 'describes statements at one server: statements:citus runs them where there are several';

const MOVES = 'gives a row another merchant, which is refused there: it would lie on another shard';
const STRETCHED = 'stretches a statement by a view in place of a table, which is on other servers there';

const TRIGGERS = 'breaks rows by a trigger, which a distributed table cannot have';

/** Tests about one PostgreSQL, by their files: names that begin so, and why they say nothing where Citus distributes it. */
const OF_ONE_SERVER: Readonly<Record<string, readonly (readonly [beginning: string, reason: string])[]>> = {
  'test/api/list-plans.test.ts': [['', PLANS]],
  'test/api/long-lists.test.ts': [['are not read to say', PLANS]],
  'test/api/exports.test.ts': [['audit.csv: an action whose end is written meanwhile', MOMENT]],
  'test/audit/log.test.ts': [
    ['is read by', PLANS],
    ['changes the column merchant_id', MOVES],
  ],
  'test/compliance/list-plans.test.ts': [['', PLANS]],
  'test/customers/customers.test.ts': [['is found through an index', PLANS]],
  'test/ledger/follow-events.test.ts': [['takes each event once where its worker', STRETCHED]],
  'test/ledger/group-commit.test.ts': [
    ['do not ride with those of a merchant', GROUPS],
    ['do not wait for a large one of another merchant', GROUPS],
    ['lock their books in the order', GROUPS],
  ],
  'test/ledger/locked-checks.test.ts': [['that waits for one before it', GROUPS]],
  'test/ledger/statement-pages.test.ts': [['cost the same', PLANS]],
  'test/refunds/refund-outcomes.test.ts': [['has those of all merchants', PLANS]],
  'test/payouts/dedupe-keys.test.ts': [['are found by their own index', PLANS]],
  'test/platform/check-statements.test.ts': [
    ['the check of statements passes rows', DESCRIBED],
    ['the check of statements fails for what', DESCRIBED],
  ],
  'test/platform/distribute.test.ts': [['is refused in words', 'is about a server without Citus']],
  'test/platform/schema.test.ts': [['docs/schema.sql', CATALOG]],
  'test/payouts/payday.test.ts': [
    ['take one lease', 'leases payouts of many merchants together, where there each merchant takes its own turn'],
    ['cost nothing while', PLANS],
    ['are sent while those of one merchant cannot be leased', TRIGGERS],
    ['hold up neither live payouts', TRIGGERS],
  ],
  'test/payouts/pipeline-fairness.test.ts': [['find their rows by key', PLANS]],
  'test/verify/proof.test.ts': [['a session of a link of another merchant', MOVES]],
};

if (CITUS_SERVERS.length > 0) {
  beforeEach(({ task, skip }) => {
    const found = OF_ONE_SERVER[task.file.name]?.find(([beginning]) => task.name.startsWith(beginning));
    if (found !== undefined) skip(found[1]);
  });
}
