import { Copy } from 'lucide-react';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';

/** The whole case as text, for a mail to the provider. */
export function CopyForSupport({ text }: { text: string }) {
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      toast({ tone: 'good', text: 'Copied: what was sent, and every call and answer.' });
    } catch {
      toast({ tone: 'bad', text: 'The browser does not allow copying here. Select the text and copy it by hand.' });
    }
  }
  return (
    <Button icon={Copy} onClick={() => void copy()}>
      Copy for the provider
    </Button>
  );
}
