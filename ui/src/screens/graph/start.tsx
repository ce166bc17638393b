import {
  Button,
  ExpandableSection,
  FormSelect,
  FormSelectOption,
  List,
  ListItem,
  SearchInput,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { useSearchState, useTyped } from '../../parts/search-state.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { kinds, namedQuery, nodeOf, type Kind } from './neighbourhood.ts';

/** Where the picture begins: something of the catalog, by its kind and name. */
export function Start({ isOpen: isFirst = false }: { readonly isOpen?: boolean }) {
  const { graph } = useTexts();
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <ExpandableSection
      toggleText={graph.begin}
      isExpanded={isOpen}
      onToggle={(_, isNowOpen) => setOpen(isNowOpen)}
    >
      {isOpen && <Named chosen={() => setOpen(false)} />}
    </ExpandableSection>
  );
}

function Named({ chosen }: { readonly chosen: () => void }) {
  const { graph } = useTexts();
  const hostId = useHost();
  const [, set] = useSearchState();
  const [kind, setKind] = useState<Kind>('Skill');
  const [words, setWords] = useState('');
  const [typed, setTyped] = useTyped(words, setWords);
  const found = useQuery({
    queryKey: ['graph named', hostId, kind, words],
    queryFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/graph/query', {
          params: { path: { hostId } },
          body: { query: namedQuery(kind, words.trim()) },
        }),
      ),
  });
  return (
    <>
      <Toolbar>
        <ToolbarContent>
          <ToolbarItem>
            <FormSelect aria-label={graph.kind} value={kind} onChange={(_, each) => setKind(each as Kind)}>
              {kinds.map((each) => (
                <FormSelectOption key={each} value={each} label={graph.kinds[each]} />
              ))}
            </FormSelect>
          </ToolbarItem>
          <ToolbarItem>
            <SearchInput
              aria-label={graph.words}
              placeholder={graph.words}
              value={typed}
              onChange={(_, text) => setTyped(text)}
              onClear={() => setTyped('')}
            />
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      <Answer of={found}>
        {({ nodes }) =>
          nodes.length === 0 ? (
            <Nothing title={graph.nothing}>{graph.nothingMend}</Nothing>
          ) : (
            <List isPlain aria-label={graph.begin}>
              {nodes.map(nodeOf).map(({ key, id, name }) => (
                <ListItem key={key}>
                  <Button
                    variant="link"
                    isInline
                    onClick={() => {
                      chosen();
                      set({ kind, id });
                    }}
                  >
                    {name}
                  </Button>
                </ListItem>
              ))}
            </List>
          )
        }
      </Answer>
    </>
  );
}
