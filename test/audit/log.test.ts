import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditEntry, checkAuditLog, recordAudit, sealAudit } from '../../src/audit/index.ts';
import { auditList } from '../../src/audit/queries.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { pageOfList } from '../../src/platform/lists/queries.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Secrets } from '../../src/platform/secrets.ts';
import { verifyAll } from '../../src/verify/index.ts';
import { type AccessDatabase, createAccessDatabase, testSecrets } from '../access/access-database.ts';
import { clockOf } from '../support/clock.ts';
import { moved } from '../support/moved.ts';
import { planOf } from '../support/plans.ts';

let store: AccessDatabase;
let secrets: Secrets;
const clock = clockOf(() => new Date());

beforeAll(async () => {
  store = await createAccessDatabase();
  secrets = testSecrets();
});
afterAll(() => store.drop());

const jobs = createJobMonitor({ clock, logger: createLogger('silent') });
const deps = () => ({ database: store.database, secrets, clock, jobs });

function entryOf(merchantId: string | null, changed: Partial<AuditEntry> = {}): AuditEntry {
  return {
    merchantId,
    mode: 'SANDBOX',
    at: clock.now(),
    action: 'POST /payout/single',
    summary: 'Pay to a bank account now',
    category: 'KEYS',
    outcome: 'ASKED',
    code: null,
    subject: { amount: 1500.5 },
    actor: { kind: 'PERSON', id: newId(), name: 'Ada Obi', role: 'MAKER', sessionId: newId() },
    ip: '203.0.113.7',
    userAgent: 'a browser',
    requestId: 'r-1',
    ...changed,
  };
}

/** A merchant's log of some entries, sealed. */
async function sealedLog(length: number): Promise<string> {
  const merchantId = newId();
  for (let at = 0; at < length; at += 1) await recordAudit(store.database, entryOf(merchantId));
  await sealAudit(deps());
  return merchantId;
}

/** What the proof says of a merchant after somebody with all rights changed the tables; then it is as before. */
async function faultsAfter(merchantId: string, ...sql: string[]): Promise<string[]> {
  class Undo extends Error {}
  const found: string[] = [];
  const tamper = async (tx: Tx) => {
    // Past the triggers, as a superuser can.
    // On each server, where Citus distributes the database.
    await tx.client.query(`set local citus.propagate_set_commands = 'local'`);
    await tx.client.query(`set local session_replication_role = 'replica'`);
    for (const each of sql) await tx.client.query(each);
    for await (const fault of checkAuditLog(tx, secrets)) {
      if (fault.merchantId === merchantId) found.push(fault.detail.replace(/^entry \S+, /, ''));
    }
    throw new Undo();
  };
  await store.database.transaction(tamper).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return found;
}

const check = async (name: string) =>
  (await verifyAll(deps())).checks.find((each) => each.name === name) ?? expect.fail(`no check ${name}`);

describe('the audit log', () => {
  it.each([
    `update audit_entries set outcome = 'DONE'`,
    'delete from audit_entries',
    'truncate audit_entries',
    `update audit_seals set seal = ''`,
    'delete from audit_seals',
    'truncate audit_seals',
  ])('refuses "%s", whoever asks', async (sql) => {
    await sealedLog(1);
    await expect(store.database.pool.query(sql)).rejects.toThrow('The audit log is only added to');
  });

  it('is whole after it was sealed, merchant by merchant and for nobody’s', async () => {
    await recordAudit(store.database, entryOf(null, { actor: { ...entryOf(null).actor, kind: 'OPERATOR' } }));
    await sealedLog(3);
    await sealedLog(2);
    expect((await store.database.pool.query('select 1 from audit_unsealed')).rows).toEqual([]);
    expect(await check('audit-log-is-whole')).toMatchObject({ ok: true, violations: 0 });
    expect(await check('audit-entries-are-sealed')).toMatchObject({ ok: true });
  });

  it('seals an entry that committed late after those that were made later', async () => {
    const merchantId = newId();
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
    const late = store.database.transaction(async (tx) => {
      await recordAudit(tx, entryOf(merchantId, { action: 'late' }));
      await committed;
    });
    await recordAudit(store.database, entryOf(merchantId, { action: 'on time' }));
    expect(await sealAudit(deps())).toBe(1);
    commit();
    await late;
    expect(await sealAudit(deps())).toBe(1);
    const { rows } = await store.database.pool.query<{ action: string }>(
      `select e.action from audit_seals s join audit_entries e on e.merchant_id = s.merchant_id and e.id = s.entry_id
        where s.merchant_id = $1 order by s.sequence`,
      [merchantId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['on time', 'late']);
    expect(await check('audit-log-is-whole')).toMatchObject({ ok: true });
  });

  it('is sealed once by many processes at once', async () => {
    const merchantId = newId();
    await Promise.all(Array.from({ length: 200 }, () => recordAudit(store.database, entryOf(merchantId))));
    const others = [deps(), { ...deps(), database: store.connect() }, { ...deps(), database: store.connect() }];
    await Promise.all(others.flatMap((each) => [sealAudit(each), sealAudit(each)]));
    await sealAudit(deps());
    const { rows } = await store.database.pool.query('select sequence from audit_seals where merchant_id = $1', [
      merchantId,
    ]);
    expect(rows).toHaveLength(200);
    expect(await check('audit-log-is-whole')).toMatchObject({ ok: true });
  });

  it('keeps what a client says of itself, whatever it says', async () => {
    const merchantId = newId();
    const strange = `a\0b\ud800c${'x'.repeat(5_000)}`;
    const actor = { ...entryOf(null).actor, name: strange };
    await recordAudit(store.database, entryOf(merchantId, { userAgent: strange, subject: { note: strange }, actor }));
    expect(await sealAudit(deps())).toBe(1);
    expect(await check('audit-log-is-whole')).toMatchObject({ ok: true });
  });

  it('is red while an entry has waited more than ten minutes for its seal', async () => {
    const at = new Date(Date.now() - 11 * 60_000);
    await recordAudit(store.database, entryOf(newId(), { at }));
    expect(await check('audit-entries-are-sealed')).toMatchObject({ ok: false, violations: 1 });
    await sealAudit(deps());
    expect(await check('audit-entries-are-sealed')).toMatchObject({ ok: true });
  });

  it('is red where an entry was taken out before it was sealed', async () => {
    const merchantId = newId();
    await recordAudit(store.database, entryOf(merchantId));
    await store.database.transaction(async (tx) => {
      // On each server, where Citus distributes the database.
      await tx.client.query(`set local citus.propagate_set_commands = 'local'`);
      await tx.client.query(`set local session_replication_role = 'replica'`);
      await tx.client.query('delete from audit_entries where merchant_id = $1', [merchantId]);
    });
    expect(await sealAudit(deps())).toBe(0);
    expect(await check('audit-entries-are-sealed')).toMatchObject({ ok: true });
    expect((await check('audit-entries-are-not-gone')).examples[0]?.detail).toMatch(/was recorded and is gone/);
    await store.database.pool.query('delete from audit_unsealed where merchant_id = $1', [merchantId]);
  });
});

describe('the log of one merchant', () => {
  it.each([
    ['its key', {}, 'audit_entries_pk'],
    ['its kinds of actions where one is asked for', { category: 'KEYS' } as const, 'audit_entries_by_category'],
  ])('is read by %s, also with a plan that was made while there was none', async (_by, filter, index) => {
    const list = auditList({ merchantId: newId(), ...filter });
    const page = pageOfList(list, { offset: 0, limit: 50, countUpTo: 1_000 });
    expect(await planOf(store.database, page)).toContain(index);
  });
});

describe('somebody with all rights on the database is found out who', () => {
  const second = (merchantId: string) =>
    `(select entry_id from audit_seals where merchant_id = '${merchantId}' and sequence = 2)`;
  /** What a column of an entry becomes, as SQL. */
  const CHANGED: Readonly<Record<string, string>> = {
    merchant_id: `'${newId()}'`,
    id: `'${newId()}'`,
    mode: `'LIVE'`,
    at: moved('at', '-1 ms'),
    action: `'POST /branch/store'`,
    summary: `'Open a store'`,
    category: `'PEOPLE'`,
    outcome: `'DONE'`,
    code: `'X'`,
    subject: `'{"amount":1500.4}'`,
    actor_kind: `'KEY'`,
    actor_id: `'b'`,
    actor_name: `'Bola Ade'`,
    actor_role: `'OWNER'`,
    session_id: 'null',
    ip: `'203.0.113.8'`,
    user_agent: `'another browser'`,
    request_id: `'r-2'`,
  };

  it.each([
    ['changes what an entry says', (m: string) => [`update audit_entries set code = 'X' where id = ${second(m)}`], 1],
    [
      'changes when it was',
      (m: string) => [`update audit_entries set at = ${moved('at', '-1 ms')} where id = ${second(m)}`],
      1,
    ],
    [
      'puts it down to somebody else',
      (m: string) => [`update audit_entries set actor_id = 'b' where id = ${second(m)}`],
      1,
    ],
    [
      'hides what kind of action it was',
      (m: string) => [`update audit_entries set category = null where id = ${second(m)}`],
      1,
    ],
    ['takes an entry out', (m: string) => [`delete from audit_entries where id = ${second(m)}`], 1],
    [
      'takes an entry and its seal out',
      (m: string) => [
        `delete from audit_entries where id = ${second(m)}`,
        `delete from audit_seals where merchant_id = '${m}' and sequence = 2`,
      ],
      1,
    ],
    [
      'makes a seal of their own',
      (m: string) => [`update audit_seals set seal = 'x' where merchant_id = '${m}' and sequence = 2`],
      2,
    ],
    [
      'puts another entry in the place of one',
      (m: string) => [
        `update audit_seals s set entry_id = o.entry_id from audit_seals o
          where s.merchant_id = '${m}' and o.merchant_id = '${m}' and (s.sequence, o.sequence) in ((1, 2))`,
      ],
      1,
    ],
  ])('%s', async (_what, sql, faults) => {
    const merchantId = await sealedLog(4);
    const dropped = 'alter table audit_seals drop constraint audit_seals_once';
    expect(await faultsAfter(merchantId, dropped, ...sql(merchantId))).toHaveLength(faults);
    expect(await faultsAfter(merchantId)).toEqual([]);
  });

  it('changes any column of an entry: each is known here', async () => {
    const { rows } = await store.database.pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'audit_entries' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(CHANGED).sort());
  });

  it.each(Object.entries(CHANGED))('changes the column %s of an entry', async (column, value) => {
    const merchantId = await sealedLog(4);
    const changed = `update audit_entries set ${column} = ${value}
                      where merchant_id = '${merchantId}' and id = ${second(merchantId)}`;
    expect(await faultsAfter(merchantId, changed)).toHaveLength(1);
  });

  it('has another key', async () => {
    const merchantId = await sealedLog(2);
    const other = testSecrets();
    const found: string[] = [];
    for await (const fault of checkAuditLog(store.database, other)) {
      if (fault.merchantId === merchantId) found.push(fault.detail);
    }
    expect(found).toHaveLength(2);
  });
});
