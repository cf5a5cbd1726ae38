import { type Static, Type } from 'typebox';
import { DateTime, Named, Nullable, Uuid, VisibleLines, VisibleText } from '../platform/http/schemas.ts';
import { MAX_MERCHANTS } from './announcement-bounds.ts';
import { SEVERITIES } from './queries.ts';

const Severity = () =>
  Type.Enum([...SEVERITIES], {
    description: 'INFO: good to know. WARNING: something is different. CRITICAL: something does not work.',
  });

const Title = () =>
  VisibleText({
    minLength: 3,
    maxLength: 120,
    pattern: '\\S',
    examples: ['Transfers to Kuda are slow'],
    'x-hint': 'must be 3 to 120 visible characters',
  });

const Body = () =>
  VisibleLines({
    minLength: 3,
    maxLength: 2_000,
    pattern: '\\S',
    description: 'Plain text: nothing in it is interpreted.',
    examples: ['Kuda answers late since 09:00. Payouts stay pending until it has answered; nothing is paid twice.'],
    'x-hint': 'must be 3 to 2,000 characters of plain text',
  });

export const AnnouncementBody = Type.Object(
  {
    title: Title(),
    text: Body(),
    severity: Severity(),
    startsAt: DateTime('From when it is shown, once it is published.'),
    endsAt: DateTime('Until when, at most a year after.'),
    merchantIds: Type.Union([Type.Array(Uuid(), { minItems: 1, maxItems: MAX_MERCHANTS }), Type.Null()], {
      description: `To whom: up to ${MAX_MERCHANTS} merchants, or null for all.`,
      examples: [null],
    }),
    byMail: Type.Optional(
      Type.Boolean({
        description:
          'Whether everybody of these merchants gets it by e-mail too, once, as soon as it is published and its time has come. False without it.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AnnouncementFields = Static<typeof AnnouncementBody>;

export const AnnouncementParams = Type.Object({ announcementId: Uuid() });

/** As a merchant's people see one. */
export const ShownAnnouncementSchema = Named(
  'ShownAnnouncement',
  Type.Object({
    announcementId: Uuid(),
    title: Type.String(),
    text: Type.String({ description: 'Plain text, with line breaks.' }),
    severity: Severity(),
    startsAt: DateTime(),
    endsAt: DateTime(),
  }),
);

export const AnnouncementSchema = Named(
  'Announcement',
  Type.Interface([ShownAnnouncementSchema], {
    status: Type.Enum(['DRAFT', 'SCHEDULED', 'SHOWN', 'ENDED'], {
      description: 'SCHEDULED: published, and not begun. ENDED: by somebody or by its time.',
    }),
    merchants: Nullable(
      Type.Array(Type.Object({ merchantId: Uuid(), businessName: Type.String() }), {
        description: 'Null: all merchants.',
      }),
    ),
    revision: Type.Integer({ description: 'Grows with every change after it was published.' }),
    createdBy: Type.String(),
    createdAt: DateTime(),
    updatedBy: Type.String(),
    updatedAt: DateTime(),
    publishedBy: Nullable(Type.String()),
    publishedAt: Nullable(DateTime()),
    endedBy: Nullable(Type.String()),
    endedAt: Nullable(DateTime()),
    byMail: Type.Boolean({ description: 'Whether it goes by e-mail too.' }),
    mailedPeople: Type.Integer({ description: 'How many people a mail was written to so far.' }),
    mailedAt: Nullable(DateTime('When the last mail was written.')),
  }),
);
