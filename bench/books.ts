import { openDatabase } from '../src/platform/db/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { verifyBooks } from '../src/verify/index.ts';
import { DATABASES } from './loads.ts';
import { onServer } from './postgres.ts';
import { progress, type Stage } from './stage.ts';

/** What the bench puts in without a transaction or a wallet, for the ledger alone to carry, is all that may be found. */
const BY_DESIGN: Readonly<Record<string, readonly string[]>> = {
  [DATABASES.bare]: ['transfers-belong-to-transactions'],
  [DATABASES.grown]: [
    'transfers-belong-to-transactions',
    'every-tenant-has-its-accounts',
    'wallets-are-the-accounts-of-their-owners',
  ],
  // Nobody works there any more when its receiver's address is removed, and it is proved a quarter of an hour later.
  [DATABASES.unordered]: ['audit-entries-are-sealed'],
};

const COUNT_DEBITS = `select count(*) as moved from transactions where category = 'STORE_TO_MERCHANT' and status = 'SUCCESS'`;
const COUNT_BARE = `select count(*) as moved
  from transfers t join events e on e.merchant_id = t.merchant_id and e.subject_id = t.transaction_id
 where e.type = 'bench.moved'`;

export interface BooksReport {
  database: string;
  acknowledged: number;
  /** Requests under way when a run was cut off: each is in the books or is not. */
  cutOff: number;
  inBooks: number;
  /** Empty when the books are right and hold every acknowledged debit once. */
  problems: string[];
}

/** Proves the books of every database that was under load. The services have stopped, so nothing is under way. */
export async function checkBooks(stage: Stage): Promise<BooksReport[]> {
  const reports: BooksReport[] = [];
  for (const [name, { acknowledged, cutOff }] of stage.tallies) {
    progress(`proving the books of ${name}`);
    const address = await stage.server.database(name);
    const counted = await onServer(address, name === DATABASES.bare ? COUNT_BARE : COUNT_DEBITS);
    const inBooks = Number((counted?.rows[0] as { moved: string } | undefined)?.moved);
    const problems = await brokenChecks(name, address);
    if (inBooks < acknowledged) problems.push(`${acknowledged - inBooks} acknowledged debits are not in the books`);
    if (inBooks > acknowledged + cutOff) problems.push(`${inBooks - acknowledged - cutOff} debits nobody asked for`);
    reports.push({ database: name, acknowledged, cutOff, inBooks, problems });
  }
  return reports;
}

async function brokenChecks(name: string, connectionString: string): Promise<string[]> {
  const database = openDatabase({ connectionString, maxConnections: 2, logger: createLogger('error') });
  try {
    const { checks } = await verifyBooks(database);
    const broken = checks.filter((check) => !check.ok && !BY_DESIGN[name]?.includes(check.name));
    return broken.map((check) => `${check.name}: ${check.violations}, such as ${check.examples[0]?.detail ?? ''}`);
  } catch (error) {
    // The figures of an hour are not lost over it, and the run has failed.
    return [`not proved: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await database.close();
  }
}
