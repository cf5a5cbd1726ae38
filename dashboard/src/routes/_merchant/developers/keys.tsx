import { createFileRoute } from '@tanstack/react-router';
import { KeysPage } from '../../../keys/keys-page.tsx';

export const Route = createFileRoute('/_merchant/developers/keys')({ component: KeysPage });
