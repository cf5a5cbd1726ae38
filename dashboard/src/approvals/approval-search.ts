import { atPlace, type ListPlace } from '../api/list-search.ts';
import type { Input } from '../api/types.ts';
import { isKind } from './approval-words.ts';

/** What stands in the address of the inbox. */
export interface ApprovalSearch {
  page?: ListPlace | undefined;
  /** Which of the inboxes; what waits for the person, where it is left out. */
  show?: string | undefined;
  kind?: string | undefined;
  status?: string | undefined;
  /** Who made it. */
  by?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

type Query = NonNullable<Input<'get', '/approval'>['query']>;
type Status = NonNullable<Query['status']>;
export type Inbox = 'waiting' | 'mine' | 'decided' | 'all';

const INBOXES: Record<Inbox, Query['inbox']> = {
  waiting: 'TO_DECIDE',
  mine: 'MINE',
  decided: 'DECIDED',
  all: undefined,
};

const STATUSES: readonly Status[] = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'];
const PAGE_SIZE = 25;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function inboxOf({ show }: ApprovalSearch): Inbox {
  return show === 'mine' || show === 'decided' || show === 'all' ? show : 'waiting';
}

/** The states that an inbox can have. What waits for somebody has one. */
export function statusesOf(inbox: Inbox): readonly Status[] {
  if (inbox === 'waiting') return [];
  return inbox === 'decided' ? STATUSES.filter((status) => status !== 'PENDING') : STATUSES;
}

/** What the interface is asked. A word in the address that it does not know is left out rather than refused. */
export function queryOf(search: ApprovalSearch): Query {
  const { page, kind, by, from, to } = search;
  const shown = inboxOf(search);
  const inbox = INBOXES[shown];
  const status = statusesOf(shown).find((one) => one === search.status);
  return {
    ...atPlace(page),
    size: PAGE_SIZE,
    ...(inbox === undefined ? {} : { inbox }),
    ...(status === undefined ? {} : { status }),
    ...(isKind(kind) ? { kind } : {}),
    ...(by !== undefined && ID.test(by) && shown !== 'mine' ? { madeBy: by } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** Filters that fit every inbox, for the way to another one. */
export function searchOf(show: Inbox, { kind, by, from, to }: ApprovalSearch): ApprovalSearch {
  return { kind, by, from, to, show: show === 'waiting' ? undefined : show };
}

export const NO_FILTERS: ApprovalSearch = {
  page: undefined,
  kind: undefined,
  status: undefined,
  by: undefined,
  from: undefined,
  to: undefined,
};

export const hasFilters = (search: ApprovalSearch): boolean =>
  Object.entries(search).some(([name, value]) => name !== 'page' && name in NO_FILTERS && value !== undefined);
