import { ChevronDown, FileJson, Printer } from 'lucide-react';
import { saveText } from '../api/files.ts';
import { Button } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import type { Evidence } from './evidence-entries.ts';

/** What one hands to somebody who asks where the money is: the page on paper, or everything as the interface has it. */
export function ProofMenu({ evidence }: { evidence: Evidence }) {
  return (
    <Menu
      trigger={<Button icon={ChevronDown}>Proof</Button>}
      groups={[
        [
          { label: 'Print or save as PDF', icon: Printer, onSelect: () => window.print() },
          {
            label: 'Download as JSON',
            icon: FileJson,
            onSelect: () =>
              saveText(`${JSON.stringify(evidence, null, 2)}\n`, `proof-${evidence.transaction.reference}.json`),
          },
        ],
      ]}
    />
  );
}
