import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
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
import { totalsCommands } from './rebuild-totals.ts';
import { reconciliationCommands } from './reconciliation.ts';
import { refundOutcomeCommands } from './refund-outcomes.ts';
import { screeningCommands, tierCommands } from './screening.ts';
import { searchCommands } from './search.ts';
import { settlementFetchCommands } from './settlement-fetches.ts';
import { suspenseCommands } from './suspense.ts';

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
  ...searchCommands,
  ...totalsCommands,
  ...eventArchiveCommands,
];

/** What a merchant reads of each command, by action. */
export function terminalDisclosures(): Disclosures {
  return new Map(COMMANDS.map((command) => [actionOf(command.name), command]));
}

/** True when `argv` only asks what there is, which needs no database. */
export function isAdminHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv.includes('--help') || argv.includes('-h') || argv[0] === 'help';
}

/** What `--help` says, of one command or of all. */
export function adminHelp(argv: readonly string[]): string {
  const command = COMMANDS.find(({ name }) => argv.includes(name));
  return command === undefined ? overview() : usageOf(command);
}

/**
 * What is wrong with how a command was called; undefined where nothing is. It needs no database, so a mistyped command
 * does not start one.
 */
export function mistakeIn(argv: readonly string[]): string | undefined {
  const command = COMMANDS.find(({ name }) => name === argv[0]);
  if (command === undefined) return `There is no command "${argv[0]}".\n\n${overview()}`;
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
  if (isAdminHelp(argv)) {
    deps.print(adminHelp(argv));
    return 0;
  }
  const command = COMMANDS.find(({ name }) => name === argv[0]);
  const mistake = mistakeIn(argv);
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
      deps.warn(`${error.message} (${error.code})${causeOf(error)}`);
    else throw error;
    return 1;
  }
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

function readOptions(command: Command, args: readonly string[]): Record<string, unknown> {
  const options: ParseArgsOptionsConfig = {};
  for (const [name, { type, multiple }] of Object.entries(command.options)) {
    options[name] = { type, multiple: multiple === true };
  }
  const { values, tokens } = parse(args, options);
  const named = tokens.filter((token) => token.kind === 'option').map(({ name }) => name);
  const twice = named.find((name, at) => command.options[name]?.multiple !== true && named.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice.`);
  const missing = Object.keys(command.options).find((name) => command.options[name]?.required && !(name in values));
  if (missing !== undefined) throw new UsageError(`--${missing} is missing.`);
  return values;
}

function parse(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false, tokens: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`);
  return `npm run admin -- <command> [options]\n\n${lines.join('\n')}\n\n<command> --help says what a command takes.`;
}

function usageOf(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => ({
    left: option.type === 'string' ? `--${name} <text>` : `--${name}`,
    right: option.required ? `${option.about} (required)` : option.about,
  }));
  const width = Math.max(...options.map(({ left }) => left.length));
  const lines = options.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`);
  return `npm run admin -- ${command.name} [options]\n${command.about}\n\n${lines.join('\n')}`;
}
