import { useMay, useMode } from '../api/session.ts';
import { PageHeader } from '../components/page-header.tsx';
import { AddressSection } from './address-section.tsx';
import { EndpointSection } from './endpoint-section.tsx';
import { SecretSection } from './secret-section.tsx';
import { TestSection } from './test-section.tsx';

/** Where the events of a mode go, whether they arrive, and how a receiver knows that they are ours. */
export function EndpointPage() {
  const mode = useMode();
  const mayChange = useMay()('webhook:write', mode);
  return (
    <>
      <PageHeader title="Webhooks">
        We call your address for every payout that ends, every batch and every movement. This is the address for{' '}
        {mode === 'LIVE' ? 'live' : 'sandbox'} events.
      </PageHeader>
      <div className="grid gap-x-6 lg:grid-cols-2">
        <div className="min-w-0">
          <AddressSection />
          <SecretSection mayChange={mayChange} />
        </div>
        <div className="min-w-0">
          <EndpointSection mayChange={mayChange} />
          {mayChange && <TestSection />}
        </div>
      </div>
    </>
  );
}
