import { hash } from 'node:crypto';
import type { ApprovalRow } from './queries.ts';

type Digested = Omit<ApprovalRow, 'digest' | 'status' | 'reason' | 'given' | 'expires_at' | 'updated_at'>;

/**
 * SHA-256, hex, over everything that an approver is shown and everything that the last approval puts into force, in one
 * fixed order. How far it is by then, and until when, is not part of it.
 */
export function digestOf(approval: Digested): string {
  const { merchant_id, mode, id, kind, subject_id, title, amount_minor, charges_minor, currency } = approval;
  const { shown, payload, needed, rules_version, made_by, made_by_name, made_via, made_ip, made_at } = approval;
  const amounts = [amount_minor, charges_minor].map((minor) => (minor === null ? null : String(minor)));
  // What was made before the address was kept has the digest that it was shown with.
  const whence = made_ip === null ? [] : [made_ip];
  const made = [made_by, made_by_name, made_via, made_at.toISOString(), ...whence];
  const text = JSON.stringify([
    ['manilla-approval', 1 + whence.length],
    [merchant_id, mode, id, kind, subject_id],
    [title, ...amounts, currency],
    shown,
    payload,
    [needed, rules_version],
    made,
  ]);
  return hash('sha256', text, 'hex');
}
