import { useState } from 'react';
import type { Approval } from './approval-words.ts';

export interface Selection {
  /** What is ticked of the page in sight, as the person saw it when they ticked it. */
  chosen: readonly Approval[];
  /** How many of the page may be ticked. */
  selectable: number;
  /** Whether anything was ever ticked. */
  isUsed: boolean;
  has: (approvalId: string) => boolean;
  toggle: (approval: Approval) => void;
  toggleAll: () => void;
  clear: () => void;
}

/** Approvals that a person has ticked. What leaves the page, or is no longer theirs to decide, is not ticked any more. */
export function useSelection(records: readonly Approval[] = []): Selection {
  const [ticked, setTicked] = useState<ReadonlyMap<string, Approval>>(new Map());
  const [isUsed, setUsed] = useState(false);
  const open = records.filter(({ mayDecide }) => mayDecide);
  const chosen = open.flatMap(({ approvalId }) => ticked.get(approvalId) ?? []);
  const set = (approvals: readonly Approval[]) => {
    setUsed(true);
    setTicked(new Map(approvals.map((approval) => [approval.approvalId, approval])));
  };
  const has = (approvalId: string) => chosen.some((one) => one.approvalId === approvalId);
  return {
    chosen,
    selectable: open.length,
    isUsed,
    has,
    toggle: (approval) =>
      set(
        has(approval.approvalId)
          ? chosen.filter(({ approvalId }) => approvalId !== approval.approvalId)
          : [...chosen, approval],
      ),
    toggleAll: () => set(chosen.length === open.length ? [] : open),
    clear: () => setTicked(new Map()),
  };
}
