import { type Session, useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';

/** Whether a service of the merchant is switched on; the operator switches them. */
export function useService(service: NonNullable<Session['merchant']>['services'][number]): boolean {
  return useSession().merchant?.services.includes(service) === true;
}

/** Instead of a page that the operator has not switched on for this merchant. */
export function ServiceMissing({ what }: { what: string }) {
  return (
    <Alert tone="info" title={`${what} are not switched on for your business`}>
      Ask your operator to enable the service. What is there already is kept meanwhile.
    </Alert>
  );
}
