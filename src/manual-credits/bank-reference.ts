/** References of banks as they are compared: in one form and in capitals, without any space. */
export function referenceKey(reference: string): string {
  return reference.normalize('NFKC').toUpperCase().replaceAll(/\s+/gu, '');
}
