import type { Data } from '../api/types.ts';
import { Badge, Status } from '../components/status.tsx';

interface MerchantState {
  status: 'PENDING' | 'ACTIVE' | 'SUSPENDED';
  reviewStatus: 'PENDING' | 'ACCEPTED' | 'REJECTED';
  submittedAt: string | null;
}

/** Where a merchant stands, in one word: what the operator would do next decides it. */
export function MerchantState({ merchant: { status, reviewStatus, submittedAt } }: { merchant: MerchantState }) {
  if (status === 'SUSPENDED') return <Status status="SUSPENDED" />;
  if (submittedAt !== null && status === 'ACTIVE') return <Badge tone="warn">Active, wants changes</Badge>;
  if (submittedAt !== null) return <Badge tone="warn">Waits for review</Badge>;
  if (status === 'ACTIVE') return <Status status="ACTIVE" />;
  if (reviewStatus === 'REJECTED') return <Badge tone="bad">Rejected</Badge>;
  return <Badge tone="quiet">Not submitted</Badge>;
}

/** A merchant as the operator sees it. */
export type Merchant = Data<'get', '/operator/merchant/{merchantId}'>;
export type MerchantDocument = Merchant['onboarding']['documents'][number];
export type RailChoice = Merchant['rails'][number];
