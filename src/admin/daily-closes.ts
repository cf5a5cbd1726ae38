import { writeFile } from 'node:fs/promises';
import {
  closeCsv,
  type DailyCloseRow,
  drawClose,
  JOURNAL_KINDS,
  journalCsv,
  journalLedger,
  journalOf,
  lastDay,
  readCloses,
  readDay,
  readJournalAccounts,
  readReceivables,
  reopenClose,
  setJournalAccount,
  signClose,
  signCloseSecond,
  TOTAL_WORDS,
} from '../daily-close/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { manyOf } from '../platform/text.ts';
import { marginsCsv, readMargins } from '../provider-settlements/index.ts';
import {
  type Command,
  dayOf,
  EMAIL,
  MODE,
  modeOf,
  oneOf,
  PAGE_OPTIONS,
  pageOf,
  signIn,
  UsageError,
  warnOfRest,
} from './command.ts';

const CLOSE = { type: 'string', about: 'id of the close, as list-daily-closes shows it', required: true } as const;
const DIGEST = {
  type: 'string',
  about: 'of the figures, as show-daily-close prints it: what you sign',
  required: true,
} as const;
const FROM = { type: 'string', about: 'first day in Lagos, 2026-11-20', required: true } as const;
const TO = { type: 'string', about: 'last day', required: true } as const;
const FORMATS = ['PDF', 'CSV', 'JOURNAL_CSV', 'JOURNAL_LEDGER'] as const;

const money = (kobo: string | bigint) => formatMoney(BigInt(kobo), DEFAULT_CURRENCY);

const show: Command = {
  name: 'show-daily-close',
  about: 'what a day comes to, as it was signed or as it would be, with the digest that is signed',
  options: { mode: MODE, day: { type: 'string', about: 'in Lagos; the last one that is over where it is left out' } },
  async run(deps, options) {
    const mode = modeOf(options.text('mode'));
    const day = options.maybe('day') === undefined ? lastDay(deps) : dayOf(options, 'day');
    const { figures, digest, close } = await readDay(deps, { mode, day });
    deps.print(`${day}\t${mode}\t${close === undefined ? 'not signed' : stateOf(close)}`);
    for (const [name, amount] of Object.entries(figures.totals)) {
      deps.print(`${TOTAL_WORDS[name as keyof typeof TOTAL_WORDS]}\t${money(amount)}`);
    }
    deps.print('account\topening\tdebits\tcredits\tclosing');
    for (const { kind, opening, debits, credits, closing } of figures.kinds) {
      deps.print([kind, money(opening), money(debits), money(credits), money(closing)].join('\t'));
    }
    deps.print(`digest\t${digest}`);
  },
};

const stateOf = ({ id, version, signed_name, second_name, reopened_name }: DailyCloseRow): string =>
  [
    `version ${version}, ${id}`,
    `signed by ${signed_name}`,
    ...(second_name === null ? [] : [`and ${second_name}`]),
    ...(reopened_name === null ? [] : [`reopened by ${reopened_name}`]),
  ].join(', ');

const list: Command = {
  name: 'list-daily-closes',
  about: 'days that were signed, those that were reopened too, the last day first',
  options: { mode: MODE, ...PAGE_OPTIONS },
  async run(deps, options) {
    const found = await readCloses(deps.database, modeOf(options.text('mode')), pageOf(options));
    for (const row of found.rows) deps.print(`${row.day}\t${stateOf(row)}\t${row.figures_digest}`);
    warnOfRest(deps, found, 'No day was signed yet.');
  },
};

const sign: Command = {
  name: 'sign-daily-close',
  about: 'sign the figures of a day, as show-daily-close showed them; with --close, beside the one who signed first',
  options: {
    mode: MODE,
    day: { type: 'string', about: 'in Lagos, 2026-11-20', required: true },
    digest: DIGEST,
    close: { type: 'string', about: 'id of the close that has a first signature' },
    email: EMAIL,
  },
  async run(deps, options) {
    const { personId } = await signIn(deps, options);
    const digest = options.text('digest');
    if (options.maybe('close') === undefined) {
      const mode = modeOf(options.text('mode'));
      deps.print(await signClose(deps, { mode, day: dayOf(options, 'day'), digest, personId }));
    } else {
      await signCloseSecond(deps, { closeId: options.id('close'), digest, personId });
      deps.print('signed');
    }
  },
};

const reopen: Command = {
  name: 'reopen-daily-close',
  about: 'say that a close counts no more: it stays as it is, and the day is signed anew as the next version',
  options: { close: CLOSE, reason: { type: 'string', about: 'why', required: true }, email: EMAIL },
  async run(deps, options) {
    const { personId } = await signIn(deps, options);
    await reopenClose(deps, { closeId: options.id('close'), reason: options.words('reason'), personId });
    deps.print('reopened');
  },
};

const write: Command = {
  name: 'export-daily-close',
  about: 'write a signed day into a file: PDF or CSV, or a journal for accounting tools',
  options: {
    mode: MODE,
    day: { type: 'string', about: 'in Lagos, 2026-11-20', required: true },
    format: { type: 'string', about: `one of ${FORMATS.join(', ')}`, required: true },
    file: { type: 'string', about: 'path of the file to write', required: true },
  },
  async run(deps, options) {
    const day = dayOf(options, 'day');
    const { figures, close } = await readDay(deps, { mode: modeOf(options.text('mode')), day });
    if (close === undefined) throw new UsageError(`${day} is not signed: see sign-daily-close.`);
    const format = oneOf(options, 'format', FORMATS);
    const lines = journalOf(figures, await readJournalAccounts(deps.database));
    const content = {
      PDF: () => drawClose(close, figures),
      CSV: () => closeCsv(figures),
      JOURNAL_CSV: () => journalCsv(lines),
      JOURNAL_LEDGER: () => journalLedger(figures, lines),
    }[format]();
    await writeFile(options.text('file'), await content);
    deps.print(options.text('file'));
  },
};

const account: Command = {
  name: 'set-journal-account',
  about: 'name an account for journal files, from now on; without options but --email, show the names',
  options: {
    kind: { type: 'string', about: `one of ${JOURNAL_KINDS.join(', ')}` },
    rail: { type: 'string', about: 'a provider account, for what it owes (COLLECTION_RECEIVABLE)' },
    code: { type: 'string', about: 'its number in your chart of accounts' },
    name: { type: 'string', about: 'its name there, such as "Assets:Cash at providers"' },
    email: EMAIL,
  },
  async run(deps, options) {
    const { personId } = await signIn(deps, options);
    if (options.maybe('kind') !== undefined) {
      const rail = options.maybe('rail') ?? '';
      const given = { kind: oneOf(options, 'kind', JOURNAL_KINDS), rail, code: options.text('code') };
      await setJournalAccount(deps, { ...given, name: options.text('name'), personId });
    }
    for (const one of await readJournalAccounts(deps.database)) {
      deps.print([one.kind, one.rail, one.code, one.name, one.isSet ? 'set' : ''].join('\t'));
    }
  },
};

const receivables: Command = {
  name: 'show-receivables',
  about: 'what each provider owes over a period, from the ledger, and what of it nobody has explained',
  options: { mode: MODE, from: FROM, to: TO },
  async run(deps, options) {
    const period = { fromDay: dayOf(options, 'from'), toDay: dayOf(options, 'to') };
    for (const one of await readReceivables(deps, { mode: modeOf(options.text('mode')), ...period })) {
      deps.print(`${one.rail}\topening ${money(one.opening)}\tclosing ${money(one.closing)}`);
      deps.print(`\tconfirmed ${money(one.confirmed)}\tdeducted ${money(one.deducted)}`);
      deps.print(`\tsettled ${money(one.settled)}\tkept ${money(one.kept)}\treturned ${money(one.returned)}`);
      deps.print(`\trefunded ${money(one.refunded)}\tdisputed ${money(one.disputed)}`);
      deps.print(`\tnot settled now ${money(one.unsettledMinor)}\t${manyOf(one.unsettledPayments, 'payment')}`);
      for (const { result, lines, amountMinor } of one.differences) {
        deps.print(`\t${result}\t${manyOf(lines, 'line')}\t${money(amountMinor)}`);
      }
    }
  },
};

const margins: Command = {
  name: 'show-provider-margins',
  about: 'what providers kept beside what they had said and what we charged, by day, account and channel, as CSV',
  options: { mode: MODE, from: FROM, to: TO },
  async run(deps, options) {
    const period = { fromDay: dayOf(options, 'from'), toDay: dayOf(options, 'to') };
    const rows = await readMargins(deps, { mode: modeOf(options.text('mode')), ...period });
    deps.print(marginsCsv(rows).trimEnd());
  },
};

export const dailyCloseCommands: readonly Command[] = [show, list, sign, reopen, write, account, receivables, margins];
