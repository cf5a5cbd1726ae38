import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/platform/ids.ts';
import { signedInOperator } from '../support/people.ts';
import { atTerminal, terminalEntries } from '../support/terminal.ts';
import { type Archivist, createArchivist } from './fixture.ts';

const MONTH_MS = 31 * 86_400_000;

let a: Archivist;
beforeAll(async () => {
  a = await createArchivist();
});
afterAll(() => a.close());

const archiveAt = (directory: string | undefined, ...more: string[]) => {
  const archive = { directory, afterMonths: a.t.config.archiveAfterMonths };
  return atTerminal({ ...a.t, archive } as typeof a.t, 'archive-events', ...more);
};

it('is off until a folder is named', async () => {
  const { exit, warned } = await archiveAt(undefined);
  expect(exit).toBe(1);
  expect(warned.join('\n')).toContain('ARCHIVE_DIR');
  expect(readConfig({ DATABASE_URL: 'postgres://localhost/x', DEMO_DATA: 'true' })).toMatchObject({
    archiveDir: undefined,
    archiveAfterMonths: 13,
  });
});

it('archives what is older than the months of the setting, of one merchant or of all, and leaves an entry in the audit log', async () => {
  await a.debit(newId());
  const early = await archiveAt(a.directory);
  expect([early.exit, early.printed]).toEqual([0, []]);
  expect(early.warned[0]).toMatch(/^Nothing from before 20\d\d-.* may leave/);
  a.t.clock.advance(14 * MONTH_MS);
  const unknown = await archiveAt(a.directory, '--merchant', newId());
  expect([unknown.exit, unknown.printed]).toEqual([1, []]);
  expect(unknown.warned.join('\n')).toContain('no merchant with this id');
  const noFolder = fileURLToPath(import.meta.url);
  const unwritable = await archiveAt(noFolder, '--merchant', a.t.merchant.merchantId);
  expect([unwritable.exit, unwritable.printed]).toEqual([1, []]);
  expect(unwritable.warned.join('\n')).toMatch(/Nothing more of its business was archived: .* cannot be written/);
  const { exit, printed } = await archiveAt(a.directory, '--merchant', a.t.merchant.merchantId);
  expect(exit).toBe(0);
  expect(printed).toHaveLength(1);
  const [merchantId, mode, number, first, last, events, keys, file] = printed[0]?.split('\t') ?? [];
  expect([merchantId, mode, number, keys]).toEqual([a.t.merchant.merchantId, 'SANDBOX', '1', '1']);
  expect([Number(last) > Number(first), Number(events) > 2]).toEqual([true, true]);
  expect(readdirSync(a.directory)).toEqual([file]);
  const entries = await terminalEntries(a.t, a.t.merchant.merchantId);
  expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['admin archive-events', 'ASKED'],
    ['admin archive-events', 'REFUSED'],
    ['admin archive-events', 'ASKED'],
    ['admin archive-events', 'DONE'],
  ]);
});

async function proofOf({ t }: Archivist) {
  const operator = await signedInOperator(t);
  await operator.call('POST', '/operator/verify');
  for (;;) {
    const { body } = await operator.call('GET', '/operator/verify');
    if (body.data.state !== 'RUNNING') return body.data;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const unprovenIn = (run: { checks: { isUnproven: boolean }[] }) => run.checks.filter(({ isUnproven }) => isUnproven);

it('is proven on the operator’s page too, also beside proofs that were kept before there were archives', async () => {
  const run = await proofOf(a);
  expect([run.state, unprovenIn(run)]).toEqual(['RIGHT', []]);
  await a.t.database.pool.query(`update verify_runs set report = replace(report, '"isUnproven":false,', '')`);
  const operator = await signedInOperator(a.t);
  expect(unprovenIn((await operator.call('GET', '/operator/verify')).body.data)).toEqual([]);
});

it('is not known to be right on the operator’s page where the folder is not named', async () => {
  const blind = await createArchivist({ ARCHIVE_DIR: '' });
  try {
    await blind.archive();
    const run = await proofOf(blind);
    expect(run.state).toBe('FAILED');
    expect(unprovenIn(run).length).toBeGreaterThan(20);
    expect(run.checks.filter(({ ok, isUnproven }: { ok: boolean; isUnproven: boolean }) => !ok && !isUnproven)).toEqual(
      [],
    );
  } finally {
    await blind.close();
  }
});
