import type { Clock } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { inHalves } from '../platform/in-halves.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Secrets } from '../platform/secrets.ts';
import {
  deleteUnsealed,
  insertAuditSeals,
  listLastSeals,
  listUnsealedChains,
  lockUnsealedEntries,
  type SealRow,
} from './queries.ts';
import { NO_SEAL, SEAL_PURPOSE, sealedText } from './seal-of.ts';

/** Chains that are looked at together, and entries that are sealed in one transaction. */
const CHAINS = 500;
const GROUP = 500;

export interface SealDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  jobs: JobMonitor;
}

/**
 * Seals what was recorded since the last time, each entry at the end of its merchant's chain. An entry whose transaction
 * committed late is sealed late, and never left out. A chain that cannot be sealed is left alone for a while that grows,
 * and holds up no other.
 * @returns how many were sealed.
 */
export async function sealAudit(deps: SealDeps): Promise<number> {
  const failures = deps.jobs.failuresOf('audit.seals');
  let all = 0;
  for (;;) {
    const waiting = await deps.database.query(listUnsealedChains, [failures.backingOffKeys(), CHAINS]);
    const chains = waiting.map(({ chain }) => chain);
    let sealed = 0;
    const seal = async (some: readonly string[]) => {
      sealed += await sealGroup(deps, some);
      for (const chain of some) failures.succeeded(chain);
    };
    const failed = (chain: string, error: unknown) => {
      failures.failed(chain, error, { message: 'the audit log of a merchant could not be sealed', merchantId: chain });
    };
    // What failed the last time is not put together with the rest again.
    const apart = chains.filter((chain) => failures.hasFailed(chain));
    for (const chain of apart) await inHalves([chain], seal, failed);
    await inHalves(
      chains.filter((chain) => !apart.includes(chain)),
      seal,
      failed,
    );
    all += sealed;
    if (sealed === 0) return all;
  }
}

async function sealGroup({ database, secrets, clock }: SealDeps, chains: readonly string[]): Promise<number> {
  try {
    return await database.transaction(async (tx) => {
      const entries = await tx.query(lockUnsealedEntries, [chains, GROUP]);
      if (entries.length === 0) return 0;
      const last = await tx.query(listLastSeals, [[...new Set(entries.map(({ chain }) => chain))]]);
      const ends = new Map(last.map(({ merchant_id, sequence, seal }) => [merchant_id, { sequence, seal }]));
      const sealed_at = clock.now().toISOString();
      const pepper_id = secrets.pepperId;
      const seals = entries.map((entry): SealRow => {
        const end = ends.get(entry.chain) ?? { sequence: 0n, seal: NO_SEAL };
        const sequence = end.sequence + 1n;
        const seal = secrets.hmac(SEAL_PURPOSE, sealedText(end.seal, sequence, entry));
        ends.set(entry.chain, { sequence, seal });
        return { merchant_id: entry.chain, sequence, entry_id: entry.entry_id, seal, sealed_at, pepper_id };
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
