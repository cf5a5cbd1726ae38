import type { Tx } from '../platform/db/database.ts';
import { rowsFor, type SetStatement, type Write, write } from '../platform/db/statement.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { type BooksView, type RowCollector, stateKey, templateKey } from './decide.ts';
import { insertEvents, insertEventTemplates } from './event-queries.ts';
import type { EventTexts } from './event-texts.ts';
import { guardWrites } from './guards.ts';
import type { EventDraft } from './movement.ts';
import { type AccountRow, updateAccounts, updateBooks } from './queries.ts';
import type { StateChange, StateMachine } from './state-machine.ts';

/** One event of a group whose COMMIT got no answer: it is in the books exactly when the whole group is. */
export interface Witness {
  merchantId: string;
  mode: string;
  sequence: bigint;
  id: string;
}

/** The rows of a group, by statement, in the order in which the statements were first needed. */
export class GroupRows implements RowCollector {
  readonly #rows = new Map<SetStatement<never>, Write['row'][]>();
  readonly #accounts = new Set<AccountRow>();
  readonly #tenants = new Map<string, Tenant>();
  readonly #changes = new Map<string, StateChange>();
  readonly #view: BooksView;
  readonly #texts: EventTexts;

  constructor(view: BooksView, texts: EventTexts) {
    this.#view = view;
    this.#texts = texts;
  }

  add({ into, row }: Write): void {
    const rows = this.#rows.get(into);
    if (rows === undefined) this.#rows.set(into, [row]);
    else rows.push(row);
  }

  changeState(machine: StateMachine, change: StateChange): void {
    const key = stateKey(machine.subject, change.subject_id);
    const earlier = this.#changes.get(key);
    if (earlier !== undefined) {
      // One update can join a row only once, and of two steps PostgreSQL would apply either one. So the first row takes
      // both steps.
      Object.assign(earlier, change, { from_state: earlier.from_state });
      return;
    }
    const row = { ...change };
    this.#changes.set(key, row);
    this.add(write(machine.update, row));
  }

  touchAccount(account: AccountRow): void {
    this.#accounts.add(account);
  }

  touchBooks(tenant: Tenant): void {
    this.#tenants.set(tenantKey(tenant), tenant);
  }

  textOf(tenant: Tenant, event: EventDraft, at: string): { data: string; template_id: string | null } {
    const { data, template } = this.#texts.store(tenant, event, at);
    if (template === undefined) return { data, template_id: null };
    const { id, text, valueCount } = template;
    const key = templateKey(tenant, id);
    if (!this.#view.templates.has(key)) {
      this.#view.templates.add(key);
      const row = { merchant_id: tenant.merchantId, id, text, value_count: valueCount, created_at: at };
      this.add(write(insertEventTemplates, row));
    }
    return { data, template_id: id };
  }

  witness(): Witness | undefined {
    const row = this.#rows.get(insertEvents)?.at(-1);
    if (row === undefined) return undefined;
    return {
      merchantId: row.merchant_id as string,
      mode: row.mode as string,
      sequence: row.sequence as bigint,
      id: row.id as string,
    };
  }

  /** Sends every statement without waiting: the transaction waits for all of them together with its COMMIT. */
  send(tx: Tx): void {
    for (const guarded of guardWrites(this.#view.guards)) this.add(guarded);
    for (const [into, rows] of this.#rows) void tx.run(into, rows);
    void tx.run(...rowsFor(updateAccounts, [...this.#accounts]));
    const books = Array.from(this.#tenants, ([key, { merchantId: merchant_id, mode }]) => ({
      merchant_id,
      mode,
      event_sequence: this.#view.eventSequences.get(key) as bigint,
    }));
    void tx.run(updateBooks, books);
  }
}
