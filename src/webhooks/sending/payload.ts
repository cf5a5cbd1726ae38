import type { EventRow } from '../../ledger/index.ts';
import type { Mode } from '../../platform/tenant.ts';

/** Of the call that tries an address out. Events count from 1, so nobody takes it for one of them. */
export const TEST_SEQUENCE = 0n;

export type ToldEvent = Pick<
  EventRow,
  'id' | 'sequence' | 'type' | 'data' | 'created_at' | 'request_id' | 'idempotency_key'
>;

/**
 * An event as it is told, in a call and in the event log: the same bytes whenever and however often it is sent. `data` is
 * the text that was written with the change itself.
 */
export function payloadOf(event: ToldEvent, mode: Mode): string {
  const { id, type, sequence, created_at: createdAt, request_id: requestId, idempotency_key: idempotencyKey } = event;
  const cause = `"requestId":${JSON.stringify(requestId)},"idempotencyKey":${JSON.stringify(idempotencyKey)}`;
  return `{"id":"${id}","type":${JSON.stringify(type)},"sequence":${sequence},"mode":"${mode}","createdAt":"${createdAt.toISOString()}",${cause},"data":${event.data}}`;
}
