import { ButtonLink } from '../components/button.tsx';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Leads from an event to the page of what it is about; nothing where that has no page. */
export function EventSubject({ type, data }: { type: string; data: unknown }) {
  const values = (data ?? {}) as Record<string, unknown>;
  const shared = { size: 'small', className: 'self-start' } as const;
  const [transactionId, batchReference] = [text(values['transactionId']), text(values['batchReference'])];
  const [storeId, subaccountId] = [text(values['storeId']), text(values['subaccountId'])];
  const approvalId = text(values['approvalId']);
  if (type.startsWith('approval.') && approvalId !== undefined) {
    return (
      <ButtonLink {...shared} to="/approvals/$approvalId" params={{ approvalId }}>
        Open the approval
      </ButtonLink>
    );
  }
  if (type.startsWith('batch.') && batchReference !== undefined) {
    return (
      <ButtonLink {...shared} to="/bulk/$batchReference" params={{ batchReference }}>
        Open the bulk payout
      </ButtonLink>
    );
  }
  if (transactionId !== undefined) {
    return (
      <ButtonLink {...shared} to="/transactions/$transactionId" params={{ transactionId }}>
        Open the transaction
      </ButtonLink>
    );
  }
  if (type.startsWith('store.') && storeId !== undefined) {
    return (
      <ButtonLink {...shared} to="/stores/$storeId" params={{ storeId }}>
        Open the store
      </ButtonLink>
    );
  }
  if (type.startsWith('subaccount.') && subaccountId !== undefined) {
    return (
      <ButtonLink {...shared} to="/subaccounts/$subaccountId" params={{ subaccountId }}>
        Open the subaccount
      </ButtonLink>
    );
  }
  return null;
}
