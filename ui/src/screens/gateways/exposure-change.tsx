import { Alert, Grid, List, ListItem, Title } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, ApiFault, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChangeBar } from '../../parts/change-bar.tsx';
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
  type Group,
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

const form = 'exposures';

/** Where the calls of the chosen tools go, what saving would change and for whom, and the button. */
export function ExposureChange({ gateway, exposed, selection, place, drop }: Given) {
  const { gateways } = useTexts();
  const { gatewayId } = gateway;
  const save = useSaving(gatewayId, selection, drop);
  const impact = useImpact(gatewayId, exposed, selection);
  return (
    <>
      <form
        id={form}
        className="portal-stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Title headingLevel="h2">{gateways.places}</Title>
        <p className="portal-subtle">{gateways.placesLead}</p>
        {groupsOf(exposed, selection, gateways.noApi).map((group, index) => (
          <PlaceFields key={group.key} group={group} index={index} place={place} />
        ))}
        {impact.data !== undefined && <Reach impact={impact.data} />}
        {impact.error !== null && (
          <Alert isInline component="h3" variant="danger" title={impact.error.message} />
        )}
        {save.error !== null && <NotSaved error={save.error} exposed={exposed} selection={selection} />}
      </form>
      {isChanged(selection) && (
        <ChangeBar form={form} save={gateways.saveTools} isSaving={save.isPending} drop={drop}>
          <Counts selection={selection} impact={impact.data} />
        </ChangeBar>
      )}
    </>
  );
}

interface Placed {
  readonly group: Group;
  readonly index: number;
  readonly place: Given['place'];
}

function PlaceFields({ group: { key, title, place: at, names, isNew }, index, place }: Placed) {
  const { gateways } = useTexts();
  const id = `place-${String(index)}`;
  return (
    <div role="group" aria-labelledby={id} className="portal-stack">
      <div id={id} className="portal-wrap">
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
          help={gateways.identityHelp.clientSecret}
          value={at.secret}
          change={(secret) => place(key, { ...at, secret })}
        />
      </Grid>
    </div>
  );
}

/** Saved over what is exposed by then, so that nothing is undone that others have changed meanwhile. */
function useSaving(gatewayId: string, selection: Selection, drop: () => void) {
  const { gateways } = useTexts();
  const hostId = useHost();
  return useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const tools = bodyOf(await exposuresOf(hostId, gatewayId), selection);
      const params = { path: { hostId, gatewayId } };
      return given(api.PUT('/v1/hosts/{hostId}/gateways/{gatewayId}/exposures', { params, body: { tools } }));
    },
    onSuccess: () => {
      drop();
      notify('success', gateways.toolsSaved);
    },
  });
}

interface Changing {
  readonly exposed: readonly Exposure[];
  readonly selection: Selection;
}

type Impact = Of<'ExposureImpact'>;

function useImpact(gatewayId: string, exposed: readonly Exposure[], { added, removed }: Selection) {
  const hostId = useHost();
  const stay = exposed.map(({ toolId }) => toolId).filter((toolId) => !removed.has(toolId));
  const body = { toolIds: [...stay, ...added.keys()] };
  const params = { path: { hostId, gatewayId } };
  return useQuery({
    queryKey: ['exposure impact', hostId, gatewayId, [...added.keys()].sort(), [...removed].sort()],
    enabled: added.size + removed.size > 0,
    queryFn: () =>
      given(api.POST('/v1/hosts/{hostId}/gateways/{gatewayId}/exposures/impact', { params, body })),
  });
}

/** How much changes, and how many lose something by it. */
function Counts({
  selection: { added, removed },
  impact,
}: {
  selection: Selection;
  impact: Impact | undefined;
}) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const losing = (impact?.agents ?? []).filter(({ loses }) => loses.length > 0).length;
  const sentences = [
    ...(added.size > 0 ? [gateways.adds(number(added.size), added.size)] : []),
    ...(removed.size > 0 ? [gateways.takesOff(number(removed.size), removed.size)] : []),
    ...(losing > 0 ? [gateways.agentsLose(number(losing), losing)] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : gateways.movesCalls;
}

/** Whom saving reaches, by name. */
function Reach({ impact: { agents, skills } }: { readonly impact: Impact }) {
  const { gateways } = useTexts();
  const losing = agents.filter(({ loses }) => loses.length > 0);
  const gaining = agents.filter(({ gains }) => gains.length > 0);
  if (agents.length === 0)
    return <Alert isInline component="h3" variant="info" title={gateways.reachesNobody} />;
  return (
    <Alert
      isInline
      component="h3"
      variant={losing.length > 0 ? 'warning' : 'info'}
      title={losing.length > 0 ? gateways.reachesLosing : gateways.reaches}
    >
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
