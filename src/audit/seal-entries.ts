import type { Clock } from '../platform/clock.ts';
import { type Database, type Queries, violatedUnique } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { inHalves } from '../platform/jobs/take-turns.ts';
import type { PepperCount } from '../platform/keyed-hash.ts';
import type { Secrets } from '../platform/secrets.ts';
import {
  type AuditRow,
  countSealsByPepper,
  deleteUnsealed,
  findLastSeal,
  insertAuditSeals,
  listSealedEntries,
  listUnsealedChains,
  lockUnsealedEntries,
  type SealRow,
} from './queries.ts';
import { NO_MERCHANT } from './record-audit.ts';

/** Before the first seal of a chain there is none. */
const NO_SEAL = '';

/** Keeps seals apart from everything else that is hashed under the pepper. */
const SEAL_PURPOSE = 'audit';

/** What a seal is a keyed hash over: an entry, its place in its merchant's chain and the seal before it. */
function sealedText(before: string, sequence: bigint, entry: AuditRow): string {
  return JSON.stringify([
    before,
    String(sequence),
    entry.merchant_id,
    entry.id,
    entry.mode,
    entry.at.toISOString(),
    entry.action,
    entry.summary,
    entry.outcome,
    entry.code,
    entry.subject,
    entry.actor_kind,
    entry.actor_id,
    entry.actor_name,
    entry.actor_role,
    entry.session_id,
    entry.ip,
    entry.user_agent,
    entry.request_id,
    // What was recorded before there were categories has the seal that it was given.
    ...(entry.category === null ? [] : [entry.category]),
  ]);
}

/**
 * An attacker who has the database but not the pepper cannot make another entry that fits the seal. An old seal is
 * compared under the pepper that it was made with; null, in seals of earlier releases, does not say which.
 * @returns undefined where that pepper is not given.
 */
function isSeal(
  secrets: Pick<Secrets, 'hmacs' | 'hmacUnder'>,
  { seal, pepper_id }: { seal: string; pepper_id: string | null },
  text: string,
): boolean | undefined {
  if (pepper_id === null) return secrets.hmacs(SEAL_PURPOSE, text).includes(seal);
  const expected = secrets.hmacUnder(pepper_id, SEAL_PURPOSE, text);
  return expected === undefined ? undefined : expected === seal;
}

/** How many seals are under each pepper. */
export function countSealPeppers(queries: Queries): Promise<PepperCount[]> {
  return queries.query(countSealsByPepper);
}

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
  let total = 0;
  for (;;) {
    const waiting = await deps.database.query(listUnsealedChains, [failures.backingOffKeys(), CHAINS]);
    const chains = waiting.map(({ chain }) => chain);
    let sealed = 0;
    const seal = async (group: readonly string[]) => {
      sealed += await sealGroup(deps, group);
      for (const chain of group) failures.succeeded(chain);
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
    total += sealed;
    if (sealed === 0) return total;
  }
}

async function sealGroup({ database, secrets, clock }: SealDeps, chains: readonly string[]): Promise<number> {
  try {
    return await database.transaction(async (tx) => {
      // One statement a chain, sent at once: in a distributed database each chain is on a server of its own.
      const waiting = await Promise.all(chains.map((chain) => tx.query(lockUnsealedEntries, [chain, GROUP])));
      const entries = waiting.flat().slice(0, GROUP);
      if (entries.length === 0) return 0;
      const begun = [...new Set(entries.map(({ chain }) => chain))];
      const last = await Promise.all(begun.map((chain) => tx.query(findLastSeal, [chain])));
      const ends = new Map(last.flat().map(({ merchant_id, sequence, seal }) => [merchant_id, { sequence, seal }]));
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

/** One thing in the log that is not as it was recorded. */
export interface AuditFault {
  merchantId: string;
  detail: string;
}

/** Read at once. */
const PIECE = 2_000;

/**
 * Computes every seal of the log anew. Finds each entry that was altered or taken out, and each seal that was: only what
 * a chain lost at its very end, entries and seals together, leaves nothing to compare with.
 */
export async function* checkAuditLog(
  queries: Queries,
  secrets: Pick<Secrets, 'hmacs' | 'hmacUnder'>,
): AsyncGenerator<AuditFault> {
  let end = { chain: NO_MERCHANT, sequence: 0n, seal: NO_SEAL };
  for (;;) {
    const rows = await queries.query(listSealedEntries, [end.chain, end.sequence, PIECE]);
    for (const row of rows) {
      const before = row.chain === end.chain ? end : { sequence: 0n, seal: NO_SEAL };
      const place = `entry ${row.entry_id}, sealed as number ${row.sequence}`;
      if (row.sequence !== before.sequence + 1n) {
        yield { merchantId: row.chain, detail: `${place}: the number before it is ${before.sequence}` };
      } else if (!row.found) {
        yield { merchantId: row.chain, detail: `${place}: it is gone` };
      } else {
        const isWhole = isSeal(secrets, row, sealedText(before.seal, row.sequence, row));
        if (isWhole !== true) yield { merchantId: row.chain, detail: `${place}: ${faultOf(isWhole, row.pepper_id)}` };
      }
      // What follows is compared with the seal as it stands: one fault is reported once.
      end = { chain: row.chain, sequence: row.sequence, seal: row.seal };
    }
    if (rows.length < PIECE) return;
  }
}

function faultOf(isWhole: false | undefined, pepperId: string | null): string {
  if (isWhole === false) return 'it is not what was sealed';
  return `it was sealed under the pepper ${pepperId}, which is not in PIN_PEPPER_PREVIOUS`;
}
