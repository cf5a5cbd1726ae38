import { Type } from 'typebox';
import { type EventTypes, Named, Nullable, Uuid } from '../platform/http/schemas.ts';

const RailName = () =>
  Type.String({
    pattern: '^[a-z][a-z0-9-]{1,39}$',
    examples: ['sandbox'],
    'x-hint': 'must be the name of a rail, see GET /payout/rail',
  });

const AvailableRail = Type.Object({
  name: Type.String({ examples: ['sandbox'] }),
  provider: Type.String({ examples: ['sandbox'] }),
});

const ChosenRail = Named(
  'ChosenRail',
  Type.Interface([AvailableRail], {
    isActive: Type.Boolean({ description: 'False while the operator has switched it off: it gets no new payouts.' }),
  }),
);

export const RailChoiceSchema = Named(
  'RailChoice',
  Type.Object({
    mode: Type.Union([Type.Literal('SANDBOX'), Type.Literal('LIVE')]),
    first: Nullable(ChosenRail),
    second: Nullable(ChosenRail),
    chosenBy: Type.Union([Type.Literal('MERCHANT'), Type.Literal('OPERATOR'), Type.Literal('DEFAULT')]),
    available: Type.Array(AvailableRail, { description: 'What PATCH /payout/rail takes.' }),
  }),
);

export const ChooseRailsBody = Type.Object(
  {
    first: Type.Union([RailName(), Type.Null()], {
      description: "The rail that pays; null goes back to the operator's choice.",
    }),
    second: Type.Optional(
      Type.Union([RailName(), Type.Null()], {
        description: 'Gets what the first was certainly never asked to send, or definitely refused.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const railEvents: EventTypes = {
  'merchant.rails_chosen': {
    summary: 'Other rails were chosen for new payouts. Chosen by DEFAULT: what the operator has for all.',
    data: Type.Object({
      merchantId: Uuid(),
      first: Nullable(ChosenRail),
      second: Nullable(ChosenRail),
      chosenBy: RailChoiceSchema.properties.chosenBy,
    }),
  },
};
