import type { Ledger } from '../ledger/index.ts';
import { linkSubject } from '../payment-sessions/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { linkChanged } from './errors.ts';
import { paymentLinkStates } from './link-state.ts';
import { paidSessions, requireLink } from './read-links.ts';
import { linkView } from './views.ts';

interface SwitchDeps {
  database: Database;
  ledger: Ledger;
  clock: Clock;
}

interface SwitchLink {
  tenant: Tenant;
  linkId: string;
  to: 'ACTIVE' | 'INACTIVE';
  baseUrl: string;
}

/**
 * Switches a link off, or on again. One that is so already stays so. Sessions that payers have opened by then can be paid
 * all the same.
 * @throws AppError `PAYMENT_LINK_NOT_FOUND`, `PAYMENT_LINK_CHANGED`
 */
export async function switchLink(deps: SwitchDeps, { tenant, linkId, to, baseUrl }: SwitchLink): Promise<void> {
  const row = await requireLink(deps, tenant, linkId);
  if (row.status === to) return;
  const at = deps.clock.now();
  const paid = (await paidSessions(deps, tenant, [linkId]))(linkId);
  const after = { ...row, status: to, updated_at: at };
  const type = to === 'ACTIVE' ? 'payment_link.activated' : 'payment_link.deactivated';
  const data = jsonOf(linkView(after, { paid, now: at, baseUrl }));
  try {
    await deps.ledger.commit({
      tenant,
      id: linkId,
      occurredAt: at.toISOString(),
      changes: [linkSubject(linkId)],
      transitions: [
        { machine: paymentLinkStates, id: linkId, from: [row.status], to, reason: null, otherwise: linkChanged },
      ],
      events: [{ id: newId(), type, subjectId: linkId, data }],
      answer: { message: 'Success' },
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== linkChanged().code) throw error;
    if ((await requireLink(deps, tenant, linkId)).status !== to) throw error;
  }
}
