import type { Clock } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import type { Secrets } from '../platform/secrets.ts';
import { deleteUnsealed, insertAuditSeals, listLastSeals, lockUnsealedEntries, type SealRow } from './queries.ts';
import { NO_SEAL, sealOf } from './seal-of.ts';

/** Sealed in one transaction. */
const GROUP = 500;

export interface SealDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Seals what was recorded since the last time, each entry at the end of its merchant's chain. An entry whose transaction
 * committed late is sealed late, and never left out.
 * @returns how many were sealed.
 */
export async function sealAudit(deps: SealDeps): Promise<number> {
  let sealed = 0;
  for (;;) {
    const group = await sealGroup(deps);
    sealed += group;
    if (group < GROUP) return sealed;
  }
}

async function sealGroup({ database, secrets, clock }: SealDeps): Promise<number> {
  try {
    return await database.transaction(async (tx) => {
      const waiting = await tx.query(lockUnsealedEntries, [GROUP]);
      // What is gone before it was sealed stays in the queue, where the proof finds it.
      const entries = waiting.filter(({ found }) => found);
      if (entries.length === 0) return 0;
      const last = await tx.query(listLastSeals, [[...new Set(entries.map(({ chain }) => chain))]]);
      const ends = new Map(last.map(({ merchant_id, sequence, seal }) => [merchant_id, { sequence, seal }]));
      const sealed_at = clock.now().toISOString();
      const seals = entries.map((entry): SealRow => {
        const end = ends.get(entry.chain) ?? { sequence: 0n, seal: NO_SEAL };
        const sequence = end.sequence + 1n;
        const seal = sealOf(secrets, end.seal, sequence, entry);
        ends.set(entry.chain, { sequence, seal });
        return { merchant_id: entry.chain, sequence, entry_id: entry.entry_id, seal, sealed_at };
      });
      await tx.run(
        insertAuditSeals,
        seals.map((seal) => write(insertAuditSeals, seal).row),
      );
      await tx.run(
        deleteUnsealed,
        seals.map(({ merchant_id, entry_id }) => ({ merchant_id, entry_id })),
      );
      return seals.length;
    });
  } catch (error) {
    // Another process went on with the same chain at this moment: the rest is for the next time.
    if (violatedUnique(error) === 'audit_seals_pk') return 0;
    throw error;
  }
}
