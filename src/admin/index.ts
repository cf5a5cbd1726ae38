import type { Disclosures } from '../audit/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { requireSecrets } from '../peppers/index.ts';
import { AppError, isDatabaseAway } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import { OtherSecretsError } from '../platform/secrets.ts';
import { type AdminDeps, actionOf, type Command, given, runAudited, UsageError } from './command.ts';
import { complianceCommands } from './compliance.ts';
import { dailyCloseCommands } from './daily-closes.ts';
import { disputeCommands } from './disputes.ts';
import { eventArchiveCommands } from './event-archives.ts';
import { keyCommands } from './keys.ts';
import { manualCreditCommands } from './manual-credits.ts';
import { merchantSettlementCommands } from './merchant-settlements.ts';
import { availabilityCommands, limitCommands, reserveCommands } from './merchant-terms.ts';
import { approvalCommands, contactCommands, merchantCommands, refundCommands, serviceCommands } from './merchants.ts';
import { outcomeCommands } from './outcomes.ts';
import { operatorCommands, peopleCommands, pinCommands } from './people.ts';
import { pepperCommands } from './peppers.ts';
import { providerSettlementCommands } from './provider-settlements.ts';
import { railCommands, walletProviderCommands } from './rails.ts';
import { rebuildCommands } from './rebuild.ts';
import { reconciliationCommands } from './reconciliation.ts';
import { refundOutcomeCommands } from './refund-outcomes.ts';
import { screeningCommands, tierCommands } from './screening.ts';
import { settlementFetchCommands } from './settlement-fetches.ts';
import { suspenseCommands } from './suspense.ts';
import { commandsWith, overview, readOptions, unknownCommand, usageOf } from './usage.ts';

export type { AdminDeps, PepperKeeping } from './command.ts';

export const COMMANDS: readonly Command[] = [
  ...merchantCommands,
  ...serviceCommands,
  ...refundCommands,
  ...contactCommands,
  ...keyCommands,
  ...pinCommands,
  ...pepperCommands,
  ...operatorCommands,
  ...peopleCommands,
  ...approvalCommands,
  ...limitCommands,
  ...availabilityCommands,
  ...reserveCommands,
  ...railCommands,
  ...walletProviderCommands,
  ...outcomeCommands,
  ...refundOutcomeCommands,
  ...manualCreditCommands,
  ...suspenseCommands,
  ...disputeCommands,
  ...complianceCommands,
  ...screeningCommands,
  ...tierCommands,
  ...reconciliationCommands,
  ...providerSettlementCommands,
  ...merchantSettlementCommands,
  ...settlementFetchCommands,
  ...dailyCloseCommands,
  ...rebuildCommands,
  ...eventArchiveCommands,
];

/** What a merchant reads of each command, by action. */
export function terminalDisclosures(): Disclosures {
  return new Map(COMMANDS.map((command) => [actionOf(command.name), command]));
}

/** True when `argv` only asks what there is, which needs no database. */
export function isAdminHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv.includes('--help') || argv.includes('-h') || argv.slice(0, 2).includes('help');
}

/** What `--help` says: of one command, of those with a word in their names, or of all. */
export function adminHelp(argv: readonly string[]): string {
  const words = helpWords(argv);
  const command = COMMANDS.find(({ name }) => words.includes(name));
  if (command !== undefined) return usageOf(command);
  return overview(words.length === 0 ? COMMANDS : commandsWith(words, COMMANDS));
}

/** About what help is asked. */
function helpWords(argv: readonly string[]): string[] {
  // What follows the name of a command are options and their values.
  const ahead = COMMANDS.some(({ name }) => name === argv[0]) ? argv.slice(0, 1) : argv;
  return ahead.filter((word) => word !== 'help' && !word.startsWith('-'));
}

/**
 * What is wrong with how a command was called; undefined where nothing is. It needs no database, so a mistyped command
 * does not start one.
 */
export function mistakeIn(argv: readonly string[]): string | undefined {
  if (isAdminHelp(argv)) {
    const words = helpWords(argv);
    const isKnown = words.length === 0 || commandsWith(words, COMMANDS).length > 0;
    return isKnown ? undefined : unknownCommand(words.join(' '), COMMANDS);
  }
  const [word = ''] = argv;
  const command = COMMANDS.find(({ name }) => name === word);
  if (command === undefined) return unknownCommand(word, COMMANDS);
  try {
    readOptions(command, argv.slice(1));
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return mistaken(command, error);
    throw error;
  }
}

const mistaken = (command: Command, { message }: UsageError): string => `${message}\n\n${usageOf(command)}`;

/**
 * Runs one operator's command, `argv` being what follows `npm run admin --`. Answers go to `print`, words for people to
 * `warn`.
 * @returns the exit code: 0, or 1 after a mistake or a refusal that was printed. Defects are thrown, and so is that the database is away.
 */
export async function runAdmin(argv: readonly string[], deps: AdminDeps): Promise<number> {
  const mistake = mistakeIn(argv);
  if (mistake === undefined && isAdminHelp(argv)) {
    deps.print(adminHelp(argv));
    return 0;
  }
  const command = COMMANDS.find(({ name }) => name === argv[0]);
  if (command === undefined || mistake !== undefined) {
    deps.warn(mistake ?? '');
    return 1;
  }
  try {
    const values = readOptions(command, argv.slice(1));
    // Those of peppers are what helps where one is not given.
    if (!pepperCommands.includes(command)) await requireSecrets({ ...deps, queries: deps.database });
    await runAudited(deps, command, values, async () => {
      await requireNamed(deps, values);
      await command.run(deps, given(values));
    });
    return 0;
  } catch (error) {
    if (error instanceof UsageError) deps.warn(mistaken(command, error));
    else if (error instanceof OtherSecretsError) deps.warn(error.message);
    else if (error instanceof AppError && !isDatabaseAway(error))
      deps.warn(`${refusalOf(command, error)} (${error.code})${causeOf(error)}`);
    else throw error;
    return 1;
  }
}

/** Fields of the commands behind the options, where those have other names. */
const OPTION_OF: ReadonlyMap<string, string> = new Map([
  ['businessName', 'name'],
  ['businessCategory', 'category'],
  ['registrationNumber', 'registration-number'],
  ['phoneNumber', 'phone'],
  ['directorDateOfBirth', 'director-born'],
  ['allowedIps', 'ip'],
  ['expiresAt', 'days'],
  ['windowSeconds', 'window'],
  ['coolingOffSeconds', 'cooling-off'],
]);

/** With the option in place of the field, which nobody typed. */
function refusalOf({ options }: Command, { errors, message }: AppError): string {
  const [first, ...more] = errors ?? [];
  if (first === undefined || more.length > 0) return message;
  const option = OPTION_OF.get(first.field) ?? first.field;
  return Object.hasOwn(options, option) ? `--${option} ${first.message}.` : message;
}

/** What stands behind it that somebody else is not there, such as the refusal of a provider: the operator may have caused it. */
function causeOf({ kind, cause }: AppError): string {
  if (kind !== 'unavailable' || !(cause instanceof Error)) return '';
  let first = cause;
  while (first.cause instanceof Error) first = first.cause;
  return `: ${first.message}`;
}

/**
 * Requires that the merchant exists. With a mistyped id a person would read that the merchant has no keys or payments,
 * or would set limits that apply to nobody.
 */
async function requireNamed({ database }: AdminDeps, { merchant }: Record<string, unknown>): Promise<void> {
  if (typeof merchant === 'string' && isUuid(merchant)) await requireMerchant(database, merchant);
}
