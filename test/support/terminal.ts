import { createPinGuard } from '../../src/access/index.ts';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import type { TestApp } from './app.ts';
import { rowsOf } from './world.ts';

export interface Terminal {
  exit: number;
  /** The answer. */
  printed: string[];
  /** Words beside it. */
  warned: string[];
}

/** One command of the operator's terminal that asks for no payouts, run by `root`. */
export async function atTerminal(t: TestApp, ...argv: string[]): Promise<Terminal> {
  const printed: string[] = [];
  const warned: string[] = [];
  const deps: AdminDeps = {
    ...t,
    ledger: t.app.ledger,
    collections: () => {
      throw new Error('this command needs money in');
    },
    payouts: () => {
      throw new Error('this command needs payouts');
    },
    peppers: { file: undefined, settingsWithNew: () => [] },
    pinGuard: createPinGuard(t),
    openWallets: async () => undefined,
    actor: 'root',
    print: (line) => printed.push(line),
    warn: (line) => warned.push(line),
    readInput: async () => '',
  };
  return { exit: await runAdmin(argv, deps), printed, warned };
}

/** What the terminal left in the log of a merchant; null is the operator's own. */
export async function terminalEntries(t: TestApp, merchantId: string | null) {
  return rowsOf<{ action: string; outcome: string; code: string | null; actor_name: string; subject: string }>(
    t.connectionString,
    `select action, outcome, code, actor_name, subject from audit_entries
      where merchant_id = $1 and actor_kind = 'SYSTEM' order by id`,
    [merchantId ?? '00000000-0000-0000-0000-000000000000'],
  );
}
