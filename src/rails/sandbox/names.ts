const FIRST = (
  'ADAEZE ABUBAKAR AISHA BABATUNDE BLESSING CHIDI CHINWE EBUKA EFE EMEKA FATIMA FOLAKE HALIMA IBRAHIM ' +
  'IFEOMA KELECHI MUSA NGOZI OSAGIE SADE SEGUN TEMITOPE TUNDE UCHE YETUNDE ZAINAB'
).split(' ');

const MIDDLE = (
  'AMINA AYODELE CHUKWUEMEKA DANJUMA ESTHER GRACE IKENNA JOSEPH KEHINDE MARYAM NNAMDI OLUWASEUN ' +
  'PATIENCE SAMUEL TAIWO VICTORIA YUSUF'
).split(' ');

const LAST = (
  'ABIOLA ADEBAYO ADELEKE AKPAN BELLO BASSEY DANGANA EKWUEME EZE GARBA IDRIS IGWE LAWAL MOHAMMED NWOSU ' +
  'OBI OGUNLEYE OKAFOR OKONKWO OLADIPO OSARO SANI UDOH UMEH WILLIAMS YAKUBU'
).split(' ');

/** The owner of a sandbox account: the same number always has the same one, whichever code names the bank. */
export function accountNameOf(accountNumber: string): string {
  const seed = fnv1a(accountNumber);
  return `${pick(FIRST, seed)} ${pick(MIDDLE, seed >>> 8)} ${pick(LAST, seed >>> 16)}`;
}

/** Somebody else: no part of the name is the owner's. */
export function otherNameOf(accountNumber: string): string {
  const seed = fnv1a(accountNumber);
  return `${pick(FIRST, seed + 1)} ${pick(MIDDLE, (seed >>> 8) + 1)} ${pick(LAST, (seed >>> 16) + 1)}`;
}

function pick(names: readonly string[], seed: number): string {
  return names[seed % names.length] as string;
}

/** FNV-1a, 32 bits: small, and the same everywhere. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
