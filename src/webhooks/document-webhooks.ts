import { type TSchema, Type } from 'typebox';
import { DateTime, Nullable, Uuid } from '../platform/http/schemas.ts';
import { EventOfType } from './schemas.ts';

/** What a module says of one of its events, for the API document. */
export interface EventDescription {
  /** One line: what happened. */
  summary: string;
  data: TSchema;
}

const Endpoint = <T extends Record<string, TSchema>>(more: T) => Type.Object({ url: Type.String(), ...more });

/** The events of this module. */
export const WEBHOOK_EVENTS: Readonly<Record<string, EventDescription>> = {
  'webhook.endpoint_disabled': {
    summary: 'The webhook address answered 410 and is sent nothing more',
    data: Endpoint({ status: Type.Literal('DISABLED'), reason: Type.String(), disabledAt: DateTime() }),
  },
  'webhook.endpoint_enabled': {
    summary: 'The webhook address is sent events again',
    data: Endpoint({ status: Type.Literal('ENABLED'), enabledAt: DateTime() }),
  },
  'webhook.endpoint_changed': {
    summary: 'The webhook address is called one event after the other, or several at once',
    data: Endpoint({ ordered: Type.Boolean(), changedAt: DateTime() }),
  },
  'webhook.secret_rotated': {
    summary: 'There is a new signing secret; the one before, where there was one, signs along for a while',
    data: Type.Object({
      secretId: Uuid(),
      createdAt: DateTime(),
      previousExpiresAt: Nullable(DateTime('Null where there was no secret before.')),
    }),
  },
  'webhook.test': {
    summary: 'Somebody tried the address out; it is no event and has the sequence 0',
    data: Type.Object({ message: Type.String() }),
  },
};

const HEADERS: readonly [string, string][] = [
  ['webhook-id', 'Id of the event; the same in every repetition.'],
  ['webhook-timestamp', 'Seconds since 1970 of this call.'],
  ['webhook-signature', 'Standard Webhooks: v1, and HMAC-SHA256 in base64 over id.timestamp.body, for each secret.'],
  ['x-manilla-signature', 'HMAC-SHA512 in hex over the body, keyed with the secret as it is shown.'],
  ['x-manilla-event', 'The type of the event.'],
];

/** The `webhooks` section of an OpenAPI 3.1 document: one entry for each type of event, with what is sent. */
export function documentWebhooks(events: Readonly<Record<string, EventDescription>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(events).map(([type, { summary, data }]) => [type, { post: operationOf(type, summary, data) }]),
  );
}

/** What the document calls the sending of an event: `onPayoutSucceeded` of `payout.succeeded`. */
export const webhookOperationId = (type: string): string =>
  `on${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

function operationOf(type: string, summary: string, data: TSchema): object {
  return {
    operationId: webhookOperationId(type),
    tags: ['Webhooks'],
    summary,
    description: 'Sent to the webhook address of the mode. Answer 2xx within 15 seconds; anything else is repeated.',
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      in: 'header',
      name,
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: EventOfType(type, data) },
      },
    },
    responses: { '2XX': { description: 'Taken. Anything else is repeated; 410 ends it.' } },
  };
}
