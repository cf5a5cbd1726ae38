import { createPinGuard } from '../../src/access/index.ts';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import type { Container } from '../../src/container.ts';
import type { TestApp } from './app.ts';
import { TEST_PASSWORD } from './people.ts';
import { rowsOf } from './world.ts';

export interface Terminal {
  exit: number;
  /** The answer. */
  printed: string[];
  /** Words beside it. */
  warned: string[];
}

/** One command of the operator's terminal that asks for no payouts and no money in, run by `root`. */
export function atTerminal(t: TestApp, ...argv: string[]): Promise<Terminal> {
  return runAtTerminal(t, {}, argv);
}

/** Commands of a person of the operator's, who types the password of every test person. */
export const terminalOf =
  (t: TestApp, container: Container) =>
  (...argv: string[]): Promise<Terminal> =>
    runAtTerminal(
      t,
      {
        ledger: container.ledger,
        payouts: () => container,
        refunds: () => container,
        collections: () => container,
        readInput: async () => TEST_PASSWORD,
      },
      argv,
    );

async function runAtTerminal(t: TestApp, more: Partial<AdminDeps>, argv: string[]): Promise<Terminal> {
  const printed: string[] = [];
  const warned: string[] = [];
  const deps: AdminDeps = {
    peppers: { file: undefined, settingsWithNew: () => [] },
    ...t,
    ledger: t.app.ledger,
    collections: () => {
      throw new Error('this command needs money in');
    },
    payouts: () => {
      throw new Error('this command needs payouts');
    },
    refunds: () => {
      throw new Error('this command needs refunds');
    },
    pinGuard: createPinGuard(t),
    openWallets: async () => undefined,
    actor: 'root',
    print: (line) => printed.push(line),
    warn: (line) => warned.push(line),
    readInput: async () => '',
    ...more,
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
