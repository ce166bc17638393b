import { Alert, Button, Flex, Grid, List, ListItem, Title } from '@patternfly/react-core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ApiFault, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { notify } from '../../parts/notices.tsx';
import { faultsIn, TextField } from '../../parts/text-field.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import {
  bodyOf,
  exposuresOf,
  groupsOf,
  isChanged,
  type Exposure,
  type Place,
  type Selection,
} from './selection.ts';

interface Given {
  readonly gateway: Of<'Gateway'>;
  readonly exposed: readonly Exposure[];
  readonly selection: Selection;
  readonly place: (key: string, place: Place) => void;
  readonly drop: () => void;
}

/** Where the calls of the chosen tools go, what saving would change and for whom, and the button. */
export function ExposureChange({ gateway, exposed, selection, place, drop }: Given) {
  const { gateways, records } = useTexts();
  const save = useSaving(gateway.gatewayId, selection, drop);
  const groups = groupsOf(exposed, selection, gateways.noApi);
  return (
    <form
      className="portal-stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Title headingLevel="h2">{gateways.places}</Title>
      <p className="portal-subtle">{gateways.placesLead}</p>
      {groups.map(({ key, title, place: at, names, isNew }, index) => (
        <div key={key} role="group" aria-labelledby={`place-${String(index)}`} className="portal-stack">
          <div id={`place-${String(index)}`} className="portal-wrap">
            <strong>{isNew ? gateways.newOf(title) : title === '' ? gateways.noTarget : title}</strong>{' '}
            <span className="portal-subtle">{shortList(names)}</span>
          </div>
          <Grid hasGutter md={6}>
            <TextField
              id={`target-${String(index)}`}
              label={gateways.target}
              placeholder="https://api.example.com/v1"
              value={at.targetHost}
              change={(targetHost) => place(key, { ...at, targetHost })}
            />
            <TextField
              id={`target-secret-${String(index)}`}
              label={gateways.targetSecret}
              value={at.secret}
              change={(secret) => place(key, { ...at, secret })}
            />
          </Grid>
        </div>
      ))}
      {isChanged(selection) && (
        <>
          <Reach gatewayId={gateway.gatewayId} exposed={exposed} selection={selection} />
          {save.error !== null && <NotSaved error={save.error} exposed={exposed} selection={selection} />}
          <Flex gap={{ default: 'gapSm' }}>
            <Button type="submit" isLoading={save.isPending} isDisabled={save.isPending}>
              {gateways.saveTools}
            </Button>
            <Button variant="link" onClick={drop}>
              {records.cancel}
            </Button>
          </Flex>
        </>
      )}
    </form>
  );
}

/** Saved over what is exposed by then, so that nothing is undone that others have changed meanwhile. */
function useSaving(gatewayId: string, selection: Selection, drop: () => void) {
  const { gateways } = useTexts();
  const hostId = useHost();
  const queries = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const tools = bodyOf(await exposuresOf(hostId, gatewayId), selection);
      const params = { path: { hostId, gatewayId } };
      return given(api.PUT('/v1/hosts/{hostId}/gateways/{gatewayId}/exposures', { params, body: { tools } }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['exposures', hostId, gatewayId] });
      drop();
      notify('success', gateways.toolsSaved);
    },
  });
}

interface Changing {
  readonly exposed: readonly Exposure[];
  readonly selection: Selection;
}

/** What saving changes, in sentences, with those that it reaches. */
function Reach({ gatewayId, exposed, selection }: Changing & { readonly gatewayId: string }) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const { added, removed } = selection;
  const toolIds = [
    ...exposed.map(({ toolId }) => toolId).filter((toolId) => !removed.has(toolId)),
    ...added.keys(),
  ];
  const params = { path: { hostId, gatewayId } };
  const impact = useQuery({
    queryKey: ['exposure impact', hostId, gatewayId, [...added.keys()].sort(), [...removed].sort()],
    enabled: added.size + removed.size > 0,
    queryFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/gateways/{gatewayId}/exposures/impact', { params, body: { toolIds } }),
      ),
  });
  const { agents = [], skills = [] } = impact.data ?? {};
  const losing = agents.filter(({ loses }) => loses.length > 0);
  const gaining = agents.filter(({ gains }) => gains.length > 0);
  const counts = [
    ...(added.size > 0 ? [gateways.adds(number(added.size), added.size)] : []),
    ...(removed.size > 0 ? [gateways.takesOff(number(removed.size), removed.size)] : []),
  ];
  const title = counts.length > 0 ? counts.join(' ') : gateways.movesCalls;
  return (
    <Alert isInline component="h3" variant={losing.length > 0 ? 'warning' : 'info'} title={title}>
      <div aria-live="polite">
        {impact.error !== null && impact.error.message}
        {impact.data !== undefined && agents.length === 0 && gateways.reachesNobody}
        <List isPlain>
          {losing.map(({ agentDefId, name, loses }) => (
            <ListItem key={`loses ${agentDefId}`}>
              <To to={`/agents/${agentDefId}`}>{name}</To> {gateways.loses(shortList(loses))}
            </ListItem>
          ))}
          {gaining.map(({ agentDefId, name, gains }) => (
            <ListItem key={`gains ${agentDefId}`}>
              <To to={`/agents/${agentDefId}`}>{name}</To> {gateways.gains(shortList(gains))}
            </ListItem>
          ))}
          {skills.map(({ skillId, name }) => (
            <ListItem key={`skill ${skillId}`}>
              <To to={`/skills/${skillId}`}>{name}</To> {gateways.skillLoses}
            </ListItem>
          ))}
        </List>
      </div>
    </Alert>
  );
}

/** What the service says against it, by the names of tools instead of their places in what was sent. */
function NotSaved({ error, exposed, selection }: Changing & { readonly error: Error }) {
  const { gateways } = useTexts();
  const sent = bodyOf(exposed, selection);
  const names = new Map([
    ...exposed.map(({ toolId, toolName }) => [toolId, toolName] as const),
    ...[...selection.added.values()].map(({ toolId, name }) => [toolId, name] as const),
  ]);
  const toolAt = (pointer: string): string => {
    const index = Number(/^[/]tools[/](\d+)/.exec(pointer)?.[1] ?? NaN);
    return names.get(sent[index]?.toolId ?? '') ?? pointer;
  };
  const isKnown = error instanceof ApiFault && error.code === 'exposure_name_taken';
  return (
    <Alert isInline component="h3" variant="danger" title={gateways.toolsNotSaved}>
      <p>{isKnown ? gateways.namesakes : error.message}</p>
      <List isPlain>
        {faultsIn(error).map(({ pointer, detail }) => (
          <ListItem key={`${pointer} ${detail}`}>
            <strong>{toolAt(pointer)}</strong> {detail}
          </ListItem>
        ))}
      </List>
    </Alert>
  );
}

const MAX_NAMED = 5;

function shortList(names: readonly string[]): string {
  const some = names.slice(0, MAX_NAMED).join(', ');
  return names.length > MAX_NAMED ? `${some} … (${String(names.length)})` : some;
}
