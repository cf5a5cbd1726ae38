import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { Alert } from '../components/alert.tsx';
import { Switch } from '../components/inputs.tsx';
import { Section } from '../components/page-header.tsx';
import { toast } from '../components/toast.tsx';
import type { Merchant } from './merchant.ts';

/** What a merchant may use. A switch takes effect at once. */
export function ServicesSection({ merchant: { merchantId, services } }: { merchant: Merchant }) {
  const change = useAction('post', '/operator/merchant/{merchantId}/service', { changes: ['/operator'] });
  const [problem, setProblem] = useState<string>();

  async function set(service: Merchant['services'][number], enabled: boolean): Promise<void> {
    setProblem(undefined);
    try {
      await change.run({ path: { merchantId }, body: { key: service.key, enabled } });
      toast({ tone: 'good', text: `${service.name} is ${enabled ? 'on' : 'off'} within two seconds.` });
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <Section title="Services" about="What was begun goes on when a service is switched off; new requests are refused.">
      {problem !== undefined && (
        <Alert tone="bad" className="mb-4">
          {problem}
        </Alert>
      )}
      <div className="flex flex-col divide-y">
        {services.map((service) => (
          <Switch
            key={service.key}
            className="py-3 first:pt-0 last:pb-0"
            label={service.name}
            hint={service.description}
            checked={service.enabled}
            disabled={change.isPending}
            onChange={(event) => void set(service, event.target.checked)}
          />
        ))}
      </div>
    </Section>
  );
}
