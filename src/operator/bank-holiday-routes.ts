import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  addHoliday,
  HOLIDAY_CERTAINTIES,
  type HolidayRow,
  listHolidaysSince,
  removeHoliday,
} from '../merchant-settlements/index.ts';
import { success } from '../platform/answer.ts';
import { lagosDay } from '../platform/clock.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid, VisibleText } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { OperatorDeps } from './deps.ts';
import { OneOf } from './schemas.ts';

const TAGS = ['Operator: bank holidays'];

const Day = () =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    examples: ['2026-12-25'],
    'x-hint': 'must be a day such as 2026-12-25',
  });
const Certainty = () =>
  OneOf(
    HOLIDAY_CERTAINTIES,
    'EXPECTED: a day by the moon that the Government has still to declare. It counts until it is removed.',
  );

const HolidaySchema = Named(
  'BankHoliday',
  Type.Object({
    holidayId: Uuid(),
    day: Type.String({ format: 'date' }),
    name: Type.String(),
    certainty: Certainty(),
    source: Type.String({ description: 'Where it is declared.' }),
    setBy: Type.String(),
    setAt: DateTime(),
    removedBy: Nullable(Type.String()),
    removedAt: Nullable(DateTime('Since when it counts no more.')),
  }),
);

const AddBody = Type.Object(
  {
    day: Day(),
    name: VisibleText({ minLength: 1, maxLength: 80, pattern: '\\S', examples: ['Eid-el-Fitr'] }),
    certainty: Certainty(),
    source: VisibleText({
      minLength: 3,
      maxLength: 300,
      pattern: '\\S',
      examples: ['Ministry of Interior, press release of 18 March 2026'],
      'x-hint': 'must say where the day is declared',
    }),
  },
  { additionalProperties: false },
);

const HolidayParams = Type.Object({ holidayId: Uuid() });

function holidayView(row: HolidayRow) {
  return {
    holidayId: row.id,
    day: row.day,
    name: row.name,
    certainty: row.certainty,
    source: row.source,
    setBy: row.set_by,
    setAt: row.set_at.toISOString(),
    removedBy: row.removed_by,
    removedAt: row.removed_at?.toISOString() ?? null,
  };
}

/** Days on which banks in Nigeria are closed, by which settlements are made. */
export function bankHolidayRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/bank-holiday',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listBankHolidays',
          summary: 'Bank holidays of this year and later, with those that were removed',
          response: answers(Success(Named('BankHolidays', Type.Object({ records: Type.Array(HolidaySchema) })))),
        },
      },
      async (_request, reply) => {
        const rows = await listHolidaysSince(deps.database, `${lagosDay(deps.clock.now()).slice(0, 4)}-01-01`);
        return sendAnswer(reply, success('Success', { records: rows.map(holidayView) }));
      },
    );
    app.post(
      '/operator/bank-holiday',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' }, errorCodes: ['BANK_HOLIDAY_TAKEN'] },
        schema: {
          tags: TAGS,
          operationId: 'addBankHoliday',
          summary: 'Add a day on which banks are closed',
          description:
            'Nothing is settled on it by the daily schedule. Turns that are planned already stay as they are.',
          body: AddBody,
          response: answers(Success(HolidaySchema)),
        },
      },
      async (request, reply) => {
        const row = await addHoliday(deps, { ...request.body, setBy: request.operator.email });
        return sendAnswer(reply, success('The bank holiday is added', holidayView(row)));
      },
    );
    app.post(
      '/operator/bank-holiday/:holidayId/remove',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' }, errorCodes: ['BANK_HOLIDAY_NOT_FOUND'] },
        schema: {
          tags: TAGS,
          operationId: 'removeBankHoliday',
          summary: 'Let a bank holiday count no more; it stays on record',
          params: HolidayParams,
          response: answers(Success(HolidaySchema)),
        },
      },
      async (request, reply) => {
        const row = await removeHoliday(deps, { id: request.params.holidayId, removedBy: request.operator.email });
        return sendAnswer(reply, success('The bank holiday is removed', holidayView(row)));
      },
    );
  };
}
