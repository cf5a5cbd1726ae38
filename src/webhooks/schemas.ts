import { type TSchema, Type } from 'typebox';
import { DateTime, MAX_INTEGER, Named, Nullable, Uuid } from '../platform/http/schemas.ts';
import { listQuery } from '../platform/lists/schemas.ts';
import { WAITS_FOR } from './views.ts';

const EventType = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: '^[a-z][a-z_.]*$',
    'x-hint': 'must be the name of an event, such as payout.succeeded',
    description,
    examples: ['payout.succeeded'],
  });

const Sequence = (description: string) => Type.Integer({ minimum: 0, description, examples: [41] });

const event = {
  id: Uuid('Of the event: the same in every repetition and in the header webhook-id.'),
  type: EventType('What happened.'),
  sequence: Sequence('Counts the events of the merchant and mode from 1, without gaps, in the order they happened.'),
  mode: Type.Enum(['SANDBOX', 'LIVE']),
  createdAt: DateTime(),
  requestId: Nullable(
    Type.String({ description: 'Of the request that caused it; null where none did, as when a bank has paid.' }),
  ),
  idempotencyKey: Nullable(Type.String({ description: 'That the request carried; null where it carried none.' })),
};

/** An event as the event log lists it. */
const EventSchema = Named(
  'Event',
  Type.Object({ ...event, data: Type.Unknown({ description: 'Depends on the type.' }) }),
);

/** An event of one type as it is sent to an address. */
export const EventOfType = (type: string, data: TSchema) =>
  Type.Object({ ...event, type: Type.Literal(type), data }, { 'x-extends': 'Event' });

const MAX_EVENTS = 1_000;
export const DEFAULT_EVENTS = 100;

export const ListEventsQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_INTEGER,
        default: 0,
        description: 'Only events behind this sequence: nextAfter of the answer before. 0 is from the beginning.',
        'x-hint': 'must be a sequence: a whole number from 0',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_EVENTS,
        default: DEFAULT_EVENTS,
        description: 'How many events at most.',
        'x-hint': `must be from 1 to ${MAX_EVENTS}`,
      }),
    ),
    type: Type.Optional(EventType('Only events of this type.')),
    skipArchived: Type.Optional(
      Type.Boolean({
        description: 'Leave out what is archived, instead of refusing to: for a page that shows what is there.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const EventPageSchema = Named(
  'EventPage',
  Type.Object({
    records: Type.Array(EventSchema),
    nextAfter: Sequence('Ask on with this; everything up to it was looked at.'),
    hasMore: Type.Boolean({
      description: 'True while there are events behind nextAfter, also where a filter left this answer empty.',
    }),
  }),
);

const attempt = {
  startedAt: DateTime(),
  durationMs: Type.Integer(),
  statusCode: Nullable(Type.Integer({ description: 'What the receiver answered; null when no answer came.' })),
  answer: Nullable(Type.String({ description: 'The first 2 KB of the body of the answer.' })),
  error: Nullable(Type.String({ description: 'Why it does not count as delivered; null when it does.' })),
};

const waitsFor = () =>
  Nullable(
    Type.Enum([...WAITS_FOR], {
      description:
        'TIME of the schedule; TURN: due, as soon as those before it are called; PAUSE of an address that fails; ENABLE: the address is disabled; ADDRESS: there is none. Null where no call is planned.',
    }),
  );

const DELIVERY_STATUS = ['PENDING', 'DELIVERED', 'FAILED'] as const;

const delivery = {
  id: Uuid(),
  eventId: Uuid('The same as id.'),
  type: EventType('Of the event.'),
  sequence: Sequence('Of the event.'),
  mode: Type.Enum(['SANDBOX', 'LIVE']),
  status: Type.Enum([...DELIVERY_STATUS], { description: 'PENDING is repeated; FAILED was abandoned.' }),
  conclusive: Type.Boolean({
    description:
      'May you act on this status as final? False while it is repeated. A FAILED one is final as no call comes by itself; a replay that you ask for may still deliver it.',
  }),
  attempts: Type.Integer({ description: 'Calls of the schedule; replays are not counted.' }),
  nextAttemptAt: Nullable(
    DateTime(
      'It is not called before; by then it has its turn. Null where no call comes by itself: it has ended, or waitsFor says for what it waits.',
    ),
  ),
  waitsFor: waitsFor(),
  deliveredAt: Nullable(DateTime()),
  createdAt: DateTime(),
  lastAttempt: Named('DeliveryAttempt', Type.Object(attempt)),
};

export const DeliverySchema = Named('Delivery', Type.Object(delivery));

export const DeliveryDetailSchema = Named(
  'DeliveryDetail',
  Type.Object({
    ...delivery,
    ahead: Type.Integer({ description: 'Deliveries that are due before this one; at most 1,000 are counted.' }),
    event: EventSchema,
    attemptLog: Type.Array(Type.Object({ attemptId: Uuid(), kind: Type.Enum(['SCHEDULED', 'REPLAY']), ...attempt }), {
      description: 'Newest first, at most 200.',
    }),
  }),
);

export const DeliveryParams = Type.Object({ id: Uuid('The delivery, which has the id of its event.') });

export const ListDeliveriesQuery = Type.Object(
  {
    ...listQuery(),
    status: Type.Optional(Type.Enum([...DELIVERY_STATUS], { description: 'Only deliveries of this status.' })),
    type: Type.Optional(EventType('Only deliveries of this type of event.')),
  },
  { additionalProperties: false },
);

export const EndpointSchema = Named(
  'Endpoint',
  Type.Object({
    url: Type.String({ description: 'Of the mode of the key; empty for nowhere. Set it with PATCH /merchant/info.' }),
    status: Type.Enum(['ENABLED', 'DISABLED', 'NONE'], { description: 'DISABLED: it answered 410.' }),
    reason: Nullable(Type.String({ examples: ['RECEIVER_GONE'] })),
    sentSequence: Sequence('Every event up to here was sent at least once, or is older than the address.'),
    lastSequence: Sequence('Of the last event.'),
    behind: Type.Integer({ description: 'Events that have not been sent for the first time.' }),
    failuresInARow: Type.Integer(),
    pausedUntil: Nullable(DateTime('Failing steadily, it is left alone until then.')),
    nextCallAt: Nullable(DateTime('No call before; null while there is nothing to send, or waitsFor says why not.')),
    waitsFor: waitsFor(),
    ordered: Type.Boolean({
      description: 'One call after the other, in the order of the events. False: several at once, in no order.',
    }),
  }),
);

export const ChangeEndpointBody = Type.Object(
  {
    ordered: Type.Boolean({
      description:
        'False for a receiver that goes by sequence itself and wants several calls at once, in no order; true for one after the other.',
      examples: [false],
    }),
  },
  { additionalProperties: false },
);

export const EnableEndpointBody = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_INTEGER,
        description: 'Begin behind this sequence and leave out what is before. Without it, nothing is left out.',
        'x-hint': 'must be a sequence: a whole number from 0',
      }),
    ),
  },
  { additionalProperties: false },
);

export const CallSchema = Named(
  'Call',
  Type.Object({
    eventId: Uuid('Of the webhook.test that was sent.'),
    delivered: Type.Boolean({ description: 'The receiver answered 2xx.' }),
    durationMs: attempt.durationMs,
    statusCode: attempt.statusCode,
    answer: attempt.answer,
    error: attempt.error,
  }),
);

export const SecretSchema = Named(
  'Secret',
  Type.Object({
    secret: Type.String({
      description:
        'Signs what is sent in the mode of the key. webhook-signature is keyed with the bytes that the base64 behind whsec_ stands for, x-manilla-signature with this text as it is.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
    createdAt: DateTime(),
    previousExpiresAt: Nullable(DateTime('Until then the secret before this one signs along; null where none does.')),
  }),
);
