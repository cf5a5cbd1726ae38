import { SelectFilter } from '../components/filters.tsx';

interface EventTypeFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function EventTypeFilter({ value, onChange }: EventTypeFilterProps) {
  const options = EVENT_TYPES.map((type) => ({ value: type, label: type }));
  return <SelectFilter label="Event" all="All events" options={options} value={value} onChange={onChange} />;
}

/** The types of events, as the API document lists them. */
const EVENT_TYPES: readonly string[] = [
  'payout.queued',
  'payout.processing',
  'payout.succeeded',
  'payout.failed',
  'payout.reversed',
  'payout.scheduled',
  'payout.cancelled',
  'batch.created',
  'batch.ready',
  'batch.needs_fix',
  'batch.item_updated',
  'batch.item_dropped',
  'batch.items_changed',
  'batch.dispatched',
  'batch.completed',
  'batch.partially_completed',
  'batch.cancelled',
  'batch.expired',
  'approval.requested',
  'approval.decided',
  'transaction.succeeded',
  'settlement.recorded',
  'inbound_payment.credited',
  'inbound_payment.held',
  'virtual_account.requested',
  'virtual_account.opened',
  'virtual_account.failed',
  'store.created',
  'subaccount.created',
  'merchant.updated',
  'merchant.rails_chosen',
  'sandbox.clock_advanced',
  'sandbox.account_paid',
  'webhook.endpoint_disabled',
  'webhook.endpoint_enabled',
  'webhook.secret_rotated',
];
