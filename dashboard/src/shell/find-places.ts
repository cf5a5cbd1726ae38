import type { LinkProps } from '@tanstack/react-router';
import { ArrowRight, type LucideIcon, Zap } from 'lucide-react';
import type { Right } from '../api/session.ts';
import type { NavigationGroup } from './navigation.ts';

/** Whose pages they are, and where one can go. */
export interface FindProps {
  groups: readonly NavigationGroup[];
  of: 'MERCHANT' | 'OPERATOR';
}

/** A page, or something that can be done on one. */
interface Place {
  label: string;
  /** What else it is looked for by. */
  words: string;
  /** Of what it is a part, such as `Money`. */
  about: string;
  to: NonNullable<LinkProps['to']>;
  icon: LucideIcon;
}

interface Action {
  label: string;
  words: string;
  to: NonNullable<LinkProps['to']>;
  needs?: Right;
}

const MERCHANT_ACTIONS: readonly Action[] = [
  { label: 'Pay somebody', words: 'new payout send money transfer', to: '/payouts/new', needs: 'payout:write' },
  {
    label: 'Pay many from a file',
    words: 'bulk upload csv excel salaries payroll',
    to: '/bulk',
    needs: 'payout:write',
  },
  { label: 'Add money', words: 'fund top up deposit account number', to: '/wallet', needs: 'wallet:read' },
  { label: 'Download a statement', words: 'csv export balance', to: '/wallet', needs: 'wallet:read' },
  { label: 'Make a payment link', words: 'collect checkout ask', to: '/collections/links', needs: 'collection:write' },
  { label: 'Add a customer', words: 'payer', to: '/collections/customers', needs: 'collection:write' },
  { label: 'Open an account number', words: 'virtual account', to: '/collections/accounts', needs: 'collection:write' },
  {
    label: 'Answer a dispute',
    words: 'chargeback contest evidence',
    to: '/collections/disputes',
    needs: 'collection:read',
  },
  { label: 'Save a beneficiary', words: 'new account payee', to: '/beneficiaries', needs: 'payout:write' },
  { label: 'Open a store', words: 'new branch', to: '/stores', needs: 'store:write' },
  { label: 'Open a subaccount', words: 'new child account', to: '/subaccounts', needs: 'subaccount:write' },
  { label: 'Approve or reject', words: 'approvals waiting inbox decide', to: '/approvals', needs: 'approval:decide' },
  { label: 'Make a new key', words: 'api secret token rotate revoke', to: '/developers/keys', needs: 'key:manage' },
  { label: 'Invite somebody', words: 'people member role team user', to: '/settings/people', needs: 'member:manage' },
  { label: 'Set the PIN', words: 'change pin locked', to: '/settings/pin', needs: 'pin:manage' },
  {
    label: 'Change approval rules',
    words: 'maker checker threshold',
    to: '/settings/approval-rules',
    needs: 'rule:manage',
  },
  { label: 'Change limits', words: 'per day payout maximum', to: '/settings/limits', needs: 'limit:manage' },
  { label: 'Your sign-in and sessions', words: 'password second factor sign out devices', to: '/settings/security' },
];

const OPERATOR_ACTIONS: readonly Action[] = [
  { label: 'Review merchants', words: 'approve reject onboarding waiting', to: '/operator/merchants' },
  { label: 'Credit a wallet', words: 'manual credit money arrived', to: '/operator/manual-credits' },
  { label: 'Decide an unknown outcome', words: 'payout stuck propose confirm', to: '/operator/outcomes' },
  { label: 'Money without an owner', words: 'suspense unmatched', to: '/operator/money-in' },
  { label: 'Look at disputes', words: 'chargeback due enter', to: '/operator/disputes' },
  { label: 'Import a settlement file', words: 'reconcile bank csv', to: '/operator/reconciliation' },
  { label: 'Prove the books', words: 'verify money safety check', to: '/operator/verify' },
  { label: 'Change fees', words: 'price charges vat', to: '/operator/fees' },
  { label: 'Keep a reserve', words: 'rolling chargeback card hold back', to: '/operator/reserves' },
  { label: 'Invite one of the staff', words: 'people operator', to: '/operator/people' },
  { label: 'Your sign-in and sessions', words: 'password second factor sign out devices', to: '/operator/security' },
];

/** Every page of the navigation and every action that the person may do. */
export function placesOf(
  groups: readonly NavigationGroup[],
  of: FindProps['of'],
  may: (right: Right) => boolean,
): Place[] {
  const actions = of === 'MERCHANT' ? MERCHANT_ACTIONS : OPERATOR_ACTIONS;
  return [
    ...actions
      .filter(({ needs }) => needs === undefined || may(needs))
      .map(({ label, words, to }) => ({ label, words, to, about: 'Action', icon: Zap })),
    ...groups.flatMap(({ label: about, items }) =>
      items.map(({ label, to, icon }) => ({ label, words: about, about, to, icon: icon ?? ArrowRight })),
    ),
  ];
}

const MOST_PLACES = 5;

/** Those of which every word of the search begins one; pages and actions that are called so first. */
export function findPlaces(places: readonly Place[], typed: string): Place[] {
  const wanted = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return [];
  const begins = (text: string) => {
    const words = text.toLowerCase().split(/[^a-z]+/);
    return wanted.every((word) => words.some((one) => one.startsWith(word)));
  };
  const named = places.filter(({ label }) => begins(label));
  const meant = places.filter((place) => !named.includes(place) && begins(`${place.label} ${place.words}`));
  return [...named, ...meant].slice(0, MOST_PLACES);
}
