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
import { useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { api, given } from '../api/client.ts';
import { useHost } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import { places } from './places.ts';

interface Given {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Goes anywhere by its name: screens, and the tools, skills and agents of the catalog. */
export function Palette({ isOpen, setOpen }: Given) {
  const { shell } = useTexts();
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', open);
    return () => {
      removeEventListener('keydown', open);
    };
  }, [setOpen]);
  const close = () => {
    setOpen(false);
  };
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
  const records = useRecords(useDeferredValue(words.trim()));
  const screens = places
    .flatMap((group) => group.places)
    .map(({ to, name }) => ({ to, title: names[name] }))
    .filter(({ title }) => title.toLowerCase().includes(words.trim().toLowerCase()));
  const groups = [
    { title: shell.screens, items: screens },
    { title: names.tools, items: records.tools },
    { title: names.skills, items: records.skills },
    { title: names.agents, items: records.agents },
  ].filter(({ items }) => items.length > 0);
  const go = (to: string) => {
    close();
    void navigate({ to });
  };
  const first = groups[0]?.items[0];
  return (
    <Menu
      isPlain
      isScrollable
      onSelect={(_, to) => {
        go(String(to));
      }}
    >
      <MenuSearch>
        <MenuSearchInput>
          <SearchInput
            ref={field}
            value={words}
            placeholder={shell.paletteHint}
            aria-label={shell.paletteHint}
            onChange={(_, value) => {
              setWords(value);
            }}
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
        {groups.length === 0 && <p role="status">{shell.paletteNothing}</p>}
      </MenuContent>
    </Menu>
  );
}

/** Records whose names hold the words: five of each kind at most. */
function useRecords(q: string) {
  const hostId = useHost();
  const { data } = useQuery({
    queryKey: ['palette', hostId, q],
    enabled: q.length > 1,
    queryFn: async () => {
      const params = { path: { hostId }, query: { q, limit: 5 } };
      const [tools, skills, agents] = await Promise.all([
        given(api.GET('/v1/hosts/{hostId}/tools', { params })),
        given(api.GET('/v1/hosts/{hostId}/skills', { params })),
        given(api.GET('/v1/hosts/{hostId}/agents', { params })),
      ]);
      return {
        tools: tools.items.map(({ toolId, name }) => ({ to: `/tools/${toolId}`, title: name })),
        skills: skills.items.map(({ skillId, name }) => ({ to: `/skills/${skillId}`, title: name })),
        agents: agents.items.map(({ agentDefId, name }) => ({ to: `/agents/${agentDefId}`, title: name })),
      };
    },
  });
  return q.length > 1 && data !== undefined ? data : { tools: [], skills: [], agents: [] };
}
