import {
  Menu,
  MenuContent,
  MenuGroup,
  MenuItem,
  MenuList,
  MenuSearch,
  MenuSearchInput,
  Modal,
  ModalBody,
  SearchInput,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { api, ApiFault, given } from '../api/client.ts';
import { useHost } from '../api/session.ts';
import { useSettled } from '../parts/settled.ts';
import { useTexts } from '../texts/texts.tsx';
import type { Texts } from '../texts/words.ts';
import { usePlaces } from './places.ts';

interface Given {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Goes anywhere by its name: screens, and what there is in the catalog. */
export function Palette({ isOpen, setOpen }: Given) {
  const { shell } = useTexts();
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, [setOpen]);
  const close = () => setOpen(false);
  return (
    <Modal isOpen={isOpen} onClose={close} variant="medium" aria-label={shell.palette} position="top">
      <ModalBody>{isOpen && <Found close={close} />}</ModalBody>
    </Modal>
  );
}

function Found({ close }: { readonly close: () => void }) {
  const { shell, places: names } = useTexts();
  const [words, setWords] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // At once: the dialog's own focus comes a moment later, and would lose what a quick hand types until then.
  useLayoutEffect(() => field.current?.focus(), []);
  const navigate = useNavigate();
  const records = useRecords(words.trim());
  const screens = usePlaces()
    .flatMap((group) => group.places)
    .map(({ to, name }) => ({ to, title: names[name] }))
    .filter(({ title }) => title.toLowerCase().includes(words.trim().toLowerCase()));
  const groups = [
    { title: shell.screens, items: screens },
    ...records.map(({ kind, items }) => ({ title: names[kind], items })),
  ].filter(({ items }) => items.length > 0);
  const go = (to: string) => {
    close();
    void navigate({ to });
  };
  const first = groups[0]?.items[0];
  return (
    <Menu isPlain isScrollable onSelect={(_, to) => go(String(to))}>
      <MenuSearch>
        <MenuSearchInput>
          <SearchInput
            ref={field}
            value={words}
            placeholder={shell.paletteHint}
            aria-label={shell.paletteHint}
            onChange={(_, value) => setWords(value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && first !== undefined) go(first.to);
            }}
          />
        </MenuSearchInput>
      </MenuSearch>
      <MenuContent maxMenuHeight="24rem">
        {groups.map(({ title, items }) => (
          <MenuGroup key={title} label={title} labelHeadingLevel="h2">
            <MenuList aria-label={title}>
              {items.map(({ to, title: item }) => (
                <MenuItem key={to} itemId={to}>
                  {item}
                </MenuItem>
              ))}
            </MenuList>
          </MenuGroup>
        ))}
        {groups.length === 0 && (
          <p role="status" className="portal-beside">
            {shell.paletteNothing}
          </p>
        )}
      </MenuContent>
    </Menu>
  );
}

interface Item {
  readonly to: string;
  readonly title: string;
}

interface OfKind {
  readonly kind: keyof Texts['places'];
  readonly items: readonly Item[];
}

/** Records whose names hold the words: five of each kind at most. */
function useRecords(wanted: string): readonly OfKind[] {
  const hostId = useHost();
  const q = useSettled(wanted);
  const { data } = useQuery({
    queryKey: ['palette', hostId, q],
    enabled: q.length > 1,
    queryFn: () => findRecords({ path: { hostId }, query: { q, limit: 5 } }),
  });
  return q.length > 1 && data !== undefined ? data : [];
}

function findRecords(params: {
  readonly path: { readonly hostId: string };
  readonly query: { readonly q: string; readonly limit: number };
}): Promise<readonly OfKind[]> {
  const tools = given(api.GET('/v1/hosts/{hostId}/tools', { params }));
  const skills = given(api.GET('/v1/hosts/{hostId}/skills', { params }));
  const agents = given(api.GET('/v1/hosts/{hostId}/agents', { params }));
  const endpoints = Promise.all([
    given(api.GET('/v1/hosts/{hostId}/endpoints', { params })),
    versionsOf(params.path),
  ]).then(([{ items }, names]) => ({
    items: items.map((each) => ({ ...each, version: names.get(each.apiVersionId) ?? '' })),
  }));
  const workflows = given(api.GET('/v1/hosts/{hostId}/workflows', { params }));
  const gateways = given(api.GET('/v1/hosts/{hostId}/gateways', { params }));
  const found = [
    listed('tools', tools, ({ toolId, name }) => ({ to: `/tools/${toolId}`, title: name })),
    listed('skills', skills, ({ skillId, name }) => ({ to: `/skills/${skillId}`, title: name })),
    listed('agents', agents, ({ agentDefId, name }) => ({ to: `/agents/${agentDefId}`, title: name })),
    listed('endpoints', endpoints, ({ endpointId, endpoint, apiId, version }) => ({
      to: `/endpoints/${endpointId}`,
      title: `${endpoint} · ${apiId} ${version}`,
    })),
    listed('workflows', workflows, ({ wfDefId, name }) => ({ to: `/workflows/${wfDefId}`, title: name })),
    listed('gateways', gateways, ({ gatewayId, serviceId, envTag }) => ({
      to: `/gateways/${gatewayId}`,
      title: `${serviceId} · ${envTag}`,
    })),
  ];
  return Promise.all(found);
}

/** By which the endpoints of two versions of an API are told apart: the names of those that changed last. */
async function versionsOf(path: { readonly hostId: string }): Promise<ReadonlyMap<string, string>> {
  const query = { limit: 100, sort: '-updateTs' as const };
  const page = given(api.GET('/v1/hosts/{hostId}/api-versions', { params: { path, query } }));
  const { items } = await page.catch(() => ({ items: [] }));
  return new Map(items.map(({ apiVersionId, apiVersion }) => [apiVersionId, apiVersion]));
}

/** Of what may not be read nothing is found. */
async function listed<Row>(
  kind: OfKind['kind'],
  page: Promise<{ readonly items: readonly Row[] }>,
  of: (row: Row) => Item,
): Promise<OfKind> {
  const { items } = await page.catch((error: unknown) => {
    if (error instanceof ApiFault && error.status === 403) return { items: [] };
    throw error;
  });
  return { kind, items: items.map(of) };
}
