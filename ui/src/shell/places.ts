import { useMayGo } from '../api/session.ts';
import type { Texts } from '../texts/words.ts';

/** A place of the navigation, and of the command palette. */
export interface Place {
  readonly to: string;
  readonly name: keyof Texts['places'];
}

const groups: readonly { readonly group: keyof Texts['groups']; readonly places: readonly Place[] }[] = [
  {
    group: 'start',
    places: [
      { to: '/', name: 'home' },
      { to: '/import', name: 'import' },
      { to: '/desk', name: 'desk' },
    ],
  },
  {
    group: 'catalog',
    places: [
      { to: '/endpoints', name: 'endpoints' },
      { to: '/tools', name: 'tools' },
      { to: '/skills', name: 'skills' },
      { to: '/agents', name: 'agents' },
      { to: '/workflows', name: 'workflows' },
      { to: '/graph', name: 'graph' },
      { to: '/taxonomy', name: 'taxonomy' },
    ],
  },
  {
    group: 'watch',
    places: [
      { to: '/search', name: 'search' },
      { to: '/gateways', name: 'gateways' },
      { to: '/webhooks', name: 'webhooks' },
      { to: '/log', name: 'log' },
      { to: '/settings', name: 'settings' },
    ],
  },
];

/** Those that the session has something to do at. */
export function usePlaces(): typeof groups {
  const mayGo = useMayGo();
  return groups.map(({ group, places }) => ({ group, places: places.filter(({ to }) => mayGo(to)) }));
}
