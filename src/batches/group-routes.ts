import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { answerCommand } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, DateTime, MAX_INTEGER, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { BatchDeps } from './deps.ts';
import { readGroups } from './read-groups.ts';
import { resolveGroup, undoGroupAction } from './resolve-group.ts';
import { BatchParams, BatchSchema, ItemSchema, itemFields, ProblemCode, phoneNumber } from './schemas.ts';

const ACTIONS = ['ACCEPT', 'CHANGE', 'CHECK_AGAIN', 'LEAVE_OUT'] as const;

const problemCode = ProblemCode('Code of the problem that the items have in common.', 'BANK_NAME_NOT_FOUND');
const causeText = (description: string) => Nullable(Type.String({ maxLength: 200, description, examples: ['ALAT'] }));

const ResolveGroupBody = Type.Object(
  {
    code: problemCode,
    cause: Type.Optional(causeText('The cause of the group, as it was listed; null or left out where it has none.')),
    action: Type.Enum([...ACTIONS], {
      description:
        'ACCEPT the warning; CHANGE a field of all; CHECK_AGAIN asks banks that were silent; LEAVE_OUT removes the items.',
    }),
    change: Type.Optional(
      Type.Object(
        {
          bankCode: Type.Optional(itemFields.bankCode),
          narration: Type.Optional(itemFields.narration),
          phoneNumber: Type.Optional(Nullable(phoneNumber)),
          amountAsRead: Type.Optional(
            Type.Literal(true, { description: 'The figure in the text that was given, such as 25000 of 25,000/=.' }),
          ),
        },
        { additionalProperties: false, description: 'With CHANGE: the one field of the group, and its value for all.' },
      ),
    ),
    version: Type.Integer({
      minimum: 1,
      maximum: MAX_INTEGER,
      description: 'The version in which you saw the group: refused with BATCH_CHANGED when it is another by now.',
    }),
  },
  { additionalProperties: false },
);

const GroupActionSchema = Named(
  'GroupAction',
  Type.Object({
    id: Uuid(),
    kind: Type.Enum([...ACTIONS, 'UNDO']),
    code: Nullable(Type.String({ description: 'Of the group; null of an undo.' })),
    cause: Nullable(Type.String()),
    items: Type.Integer({ description: 'Items that it is about.' }),
    doneItems: Type.Integer({ description: 'Items that it was applied to so far.' }),
    status: Type.Enum(['RUNNING', 'DONE', 'UNDONE']),
    createdAt: DateTime(),
  }),
);

const ResolvedSchema = Named('ResolvedGroup', Type.Interface([BatchSchema], { action: GroupActionSchema }));

const Sample = Type.Object(
  {
    ...ItemSchema.properties,
    amountAsRead: Nullable(Money('What CHANGE with amountAsRead makes of the text given for the amount.')),
  },
  { 'x-extends': 'Item' },
);

const GroupSchema = Named(
  'ProblemGroup',
  Type.Object({
    code: Type.String(),
    cause: Nullable(
      Type.String({
        description:
          'What they have in common besides: the text given for the bank, the digits of the account number, the marks ' +
          'around the amount with # for the figure, the bulk payout that they repeat. Null where the code says it all.',
      }),
    ),
    severity: Type.Enum(['ERROR', 'WARNING'], { description: 'An error keeps the items from being paid.' }),
    field: Nullable(Type.String({ description: 'Of PATCH /payout/bulk/item; null for the row as a whole.' })),
    isHarmless: Type.Boolean({
      description: 'Read in the only way there is, such as a leading zero that was missing.',
    }),
    count: Type.Integer({ description: 'Items that nobody accepted.' }),
    acceptedCount: Type.Integer(),
    amount: Nullable(
      Money('Of all of them, invalid or not; null from 70 trillion on, which JSON cannot say to the kobo.'),
    ),
    message: Type.String({ description: 'Said of the first of them.' }),
    actions: Type.Array(Type.Enum([...ACTIONS])),
    suggestion: Nullable(
      Type.Object({
        bankCode: Nullable(Type.String({ description: 'The bank that was most likely meant.' })),
        bankName: Nullable(Type.String()),
        amountAsRead: Nullable(
          Type.Boolean({ description: 'True where CHANGE with amountAsRead has an amount to offer.' }),
        ),
      }),
    ),
    samples: Type.Array(Sample, { description: 'Up to three of them; those with the most different names first.' }),
  }),
);

const GroupsSchema = Type.Object({
  batchReference: Type.String(),
  version: Type.Integer({ description: 'To be sent with an action.' }),
  groups: Type.Array(GroupSchema),
  groupsLeftOut: Type.Integer({ description: 'Smaller groups beyond the first 100.' }),
  running: Nullable(GroupActionSchema),
  undoable: Nullable(GroupActionSchema),
});

const tags = ['Bulk payouts'];
const write = { scope: 'payout:write', service: 'PAYOUT' } as const;
const CLOSED = ['BATCH_ALREADY_DISPATCHED', 'BATCH_ALREADY_CANCELLED', 'BATCH_EXPIRED'];
const CHANGED = ['BATCH_CHANGED', 'BATCH_ACTION_RUNNING', 'APPROVAL_MOVED_ON', 'APPROVAL_SUBJECT_ALTERED'];

/** Problems of many items, and actions on all of them at once. */
export function groupRoutes(deps: BatchDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/problem',
      {
        config: { access: { scope: 'payout:read' }, errorCodes: ['BATCH_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'listBulkPayoutProblems',
          summary: 'The problems of a bulk payout in groups',
          description:
            'Items with the same problem and the same cause are one group, with what can be done to all of them.',
          params: BatchParams,
          response: answers(Success(GroupsSchema)),
        },
      },
      async (request, reply) => {
        const groups = await readGroups(deps, request.principal.tenant, request.params.batchReference);
        return sendAnswer(reply, success('Success', groups));
      },
    );
    app.post(
      '/payout/bulk/:batchReference/problem/resolve',
      {
        config: {
          access: write,
          errorCodes: [
            'BATCH_NOT_FOUND',
            'BATCH_GROUP_NOT_FOUND',
            'BATCH_VALIDATING',
            ...CLOSED,
            ...CHANGED,
            'BATCH_GROUP_ACTION_REFUSED',
          ],
        },
        schema: {
          tags,
          operationId: 'resolveBulkPayoutProblem',
          summary: 'Accept, change or remove all items of one problem',
          description:
            'All items of a group of the same code and cause. More than 500 are changed in the background, while the bulk ' +
            'payout is `VALIDATING`; an approval that it waits for is void.',
          params: BatchParams,
          body: ResolveGroupBody,
          response: answers(Success(ResolvedSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { batchReference } = request.params;
          const { code, action, cause = null, change = {}, version } = request.body;
          const { tenant } = request.principal;
          const group = { tenant, batchReference, code, cause, action, change, version };
          return resolveGroup(deps, { ...group, idempotency: request.idempotency });
        }),
    );
    app.post(
      '/payout/bulk/:batchReference/problem/undo',
      {
        config: {
          access: write,
          errorCodes: ['BATCH_NOT_FOUND', 'BATCH_NOTHING_TO_UNDO', ...CLOSED, ...CHANGED],
        },
        schema: {
          tags,
          operationId: 'undoBulkPayoutProblem',
          summary: 'Undo the last action on a group of items',
          description: 'Possible until the bulk payout is dispatched or changed otherwise.',
          params: BatchParams,
          response: answers(Success(ResolvedSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () => {
          const { batchReference } = request.params;
          const { tenant } = request.principal;
          return undoGroupAction(deps, { tenant, batchReference, idempotency: request.idempotency });
        }),
    );
  };
}
