import { toNumber, toNumberIfExact } from '../money/index.ts';
import type { PayoutStateRow } from './copy-queries.ts';
import type { ActionRow, GroupRow } from './group-queries.ts';
import { amountAsRead } from './item-text.ts';
import { actionsFor, errorsOf, isHarmless, warningsOf } from './problems.ts';
import type { ItemRow } from './queries.ts';
import { itemView } from './views.ts';

export function actionView(action: ActionRow) {
  return {
    id: action.id,
    kind: action.kind,
    code: action.code,
    cause: action.cause,
    items: action.items,
    doneItems: action.done_items,
    status:
      action.undone_at !== null
        ? ('UNDONE' as const)
        : action.done_at === null
          ? ('RUNNING' as const)
          : ('DONE' as const),
    createdAt: action.created_at.toISOString(),
  };
}

export interface Suggestion {
  bankCode: string;
  bankName: string;
}

export function groupView(
  group: GroupRow,
  samples: readonly ItemRow[],
  suggestion: Suggestion | undefined,
  earlier: (item: ItemRow) => PayoutStateRow | undefined,
) {
  const { code, cause, severity, field } = group;
  const first = samples[0];
  const said = first === undefined ? [] : [...errorsOf(first), ...warningsOf(first)];
  const given = field === 'amount' ? (first?.given_amount ?? null) : null;
  const asRead = given === null ? undefined : amountAsRead(given);
  const kinds = actionsFor({ code, field, severity, readsAmounts: asRead !== undefined });
  return {
    code,
    cause,
    severity,
    field,
    isHarmless: isHarmless(code),
    count: group.items,
    acceptedCount: group.accepted,
    amount: toNumberIfExact(group.amount_minor),
    message: said.find((problem) => problem.code === code)?.message ?? `${code}.`,
    actions: kinds,
    suggestion:
      suggestion === undefined
        ? asRead === undefined || !kinds.includes('CHANGE')
          ? null
          : { bankCode: null, bankName: null, amountAsRead: true as const }
        : { ...suggestion, amountAsRead: null },
    samples: samples.map((item) => ({
      ...itemView({ dispatched_at: null }, { ...item, payout_status: null, payout_reason: null }, earlier(item)),
      amountAsRead: readOf(item),
    })),
  };
}

function readOf({ amount_minor, given_amount }: ItemRow): number | null {
  const read = amount_minor === 0n && given_amount !== null ? amountAsRead(given_amount) : undefined;
  return read === undefined ? null : toNumber(read);
}
