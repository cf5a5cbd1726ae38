import { Type } from 'typebox';
import { DateTime, Money, Named, Nullable } from '../../platform/http/schemas.ts';
import { ModeWord, Word } from '../schemas.ts';

const Name = () =>
  Type.String({
    pattern: '^[a-z][a-z0-9-]{1,39}$',
    examples: ['paystack-live'],
    'x-hint': 'must be the name of a rail',
  });

export const RailParams = Type.Object({ railId: Name() });

const Balance = Type.Object({ amount: Money('What the provider said was in the account.'), at: DateTime() });

export const OperatorRailSchema = Named(
  'OperatorRail',
  Type.Object({
    railId: Type.String({ description: 'Its name, as payouts carry it.', examples: ['sandbox'] }),
    provider: Type.String({ examples: ['paystack'] }),
    mode: ModeWord(),
    builtIn: Type.Boolean({ description: 'The sandbox rail, which cannot be switched off.' }),
    active: Type.Boolean({ description: 'Off, it gets no new payouts; those that it has are asked about as before.' }),
    openToMerchants: Type.Boolean(),
    standing: Nullable(Word(['FIRST', 'SECOND'] as const, 'Its place in the default of its mode.')),
    baseUrl: Nullable(Type.String({ description: 'Null: the provider’s own address.' })),
    circuit: Nullable(
      Word(
        ['closed', 'half_open', 'open'] as const,
        'Closed: it answers. Open: too many of the last calls of this process brought no answer. Null: not called yet.',
      ),
    ),
    opens: Type.Boolean({
      description:
        'False: its credentials do not open. Nothing can be asked of it, its payouts wait or go by the rail that takes over.',
    }),
    lastBalance: Nullable(Balance),
  }),
);

export const OperatorRailsSchema = Named(
  'OperatorRails',
  Type.Object({
    records: Type.Array(OperatorRailSchema),
    defaults: Type.Array(
      Type.Object({
        mode: ModeWord(),
        first: Nullable(Type.String({ description: 'Null: none is set.' })),
        second: Nullable(Type.String()),
      }),
      { description: 'The rails of merchants that chose none, one line a mode.' },
    ),
  }),
);

export const ChangeRailBody = Type.Object({ active: Type.Boolean() }, { additionalProperties: false });

export const DefaultRailsBody = Type.Object(
  { mode: ModeWord(), first: Name(), second: Type.Optional(Nullable(Name())) },
  { additionalProperties: false },
);

export const ChooseRailBody = Type.Object(
  {
    mode: ModeWord(),
    first: Type.Union([Name(), Type.Null()], { description: 'Null goes back to the default of the mode.' }),
    second: Type.Optional(Nullable(Name())),
  },
  { additionalProperties: false },
);

export const RailBalanceSchema = Balance;
