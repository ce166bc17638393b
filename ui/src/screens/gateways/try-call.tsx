import {
  Alert,
  Button,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  FormSelectOptionGroup,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, base, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ArgumentField } from '../../parts/argument-field.tsx';
import { argumentsOf, NotOfKind, valuesOf, isObject, type Argument } from '../../parts/arguments.ts';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { GoTo } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CallOutcome } from './call-outcome.tsx';
import { isSameGateway } from './development.ts';
import { calledAt, listedAt, type ListedTool } from './mcp.ts';
import { exposuresOf, type Exposure } from './selection.ts';

interface Given {
  readonly gateway: Of<'Gateway'>;
  /** Where the service serves it itself. */
  readonly address: string;
}

/** Calls a tool of the gateway as an agent would, by the gateway for development. */
export function TryCall({ gateway, address }: Given) {
  const { gateways } = useTexts();
  const hostId = useHost();
  const { gatewayId, active } = gateway;
  const path = address.slice(base.length);
  const there = useQuery({
    queryKey: ['callable', hostId, gatewayId],
    enabled: active,
    queryFn: async () => {
      const [exposed, listed] = await Promise.all([exposuresOf(hostId, gatewayId), listedAt(path)]);
      return { exposed, listed };
    },
  });
  if (!active) return <Nothing title={gateways.inactive}>{gateways.inactiveMend}</Nothing>;
  return (
    <Answer of={there}>
      {({ exposed, listed }) =>
        exposed.length === 0 ? (
          <Nothing
            title={gateways.nothingToCall}
            action={
              <GoTo to="." search={{ tab: 'tools' }}>
                {gateways.chooseTools}
              </GoTo>
            }
          >
            {gateways.nothingToCallMend}
          </Nothing>
        ) : (
          <div className="portal-stack">
            <p>
              {isSameGateway(gateway.url, address) ? gateways.tryLead : gateways.tryLeadOther(gateway.url)}
            </p>
            <Call path={path} exposed={exposed} listed={listed} />
          </div>
        )
      }
    </Answer>
  );
}

interface Callable {
  readonly path: string;
  readonly exposed: readonly Exposure[];
  readonly listed: readonly ListedTool[];
}

function Call({ path, exposed, listed }: Callable) {
  const { gateways } = useTexts();
  const [{ tool: asked }, set] = useSearchState();
  const names = new Set(listed.map(({ name }) => name));
  const withheld = exposed.filter(({ toolName }) => !names.has(toolName));
  const name = asked ?? listed[0]?.name ?? withheld[0]?.toolName ?? '';
  const tool = listed.find((each) => each.name === name);
  const toolId = exposed.find(({ toolName }) => toolName === name)?.toolId;
  return (
    <>
      <Form isWidthLimited onSubmit={(event) => event.preventDefault()}>
        <FormGroup label={gateways.tool} fieldId="try-tool">
          <FormSelect id="try-tool" value={name} onChange={(_, chosen) => set({ tool: chosen })}>
            <FormSelectOptionGroup label={gateways.listed}>
              {listed.map(({ name: each }) => (
                <FormSelectOption key={each} value={each} label={each} />
              ))}
            </FormSelectOptionGroup>
            {withheld.length > 0 && (
              <FormSelectOptionGroup label={gateways.notListed}>
                {withheld.map(({ toolName, toolId }) => (
                  <FormSelectOption key={toolId} value={toolName} label={toolName} />
                ))}
              </FormSelectOptionGroup>
            )}
          </FormSelect>
        </FormGroup>
      </Form>
      {tool?.description !== undefined && <p>{tool.description}</p>}
      {tool !== undefined && (
        <Arguments key={name} {...{ path, name, toolId }} fields={argumentsOf(tool.inputSchema)} />
      )}
      {tool === undefined && toolId !== undefined && <NotListed key={name} {...{ path, name, toolId }} />}
    </>
  );
}

/** What a tool takes that is not listed, the catalog says: trying it says why it is not. */
function NotListed({ path, name, toolId }: Omit<Chosen, 'fields'> & { readonly toolId: string }) {
  const hostId = useHost();
  const tool = useQuery({
    queryKey: ['tool', hostId, toolId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/tools/{toolId}', { params: { path: { hostId, toolId } } })),
  });
  return (
    <Answer of={tool}>
      {({ inputSchema }) => <Arguments {...{ path, name, toolId }} fields={argumentsOf(inputSchema ?? {})} />}
    </Answer>
  );
}

interface Chosen {
  readonly path: string;
  readonly name: string;
  readonly toolId: string | undefined;
  /** Undefined where they are given as one JSON object. */
  readonly fields: readonly Argument[] | undefined;
}

/** By this name all arguments stand as one JSON object. */
const whole = 'arguments';

/** Many arguments may stand above what came of a call. */
const show = (outcome: HTMLElement | null) => outcome?.scrollIntoView({ block: 'nearest' });

function Arguments({ path, name, toolId, fields }: Chosen) {
  const { gateways } = useTexts();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const one: Argument = {
    name: whole,
    kind: 'json',
    isRequired: false,
    description: gateways.asJson,
    choices: [],
  };
  const shown = fields ?? [one];
  const call = useMutation({
    // What it changes is not the catalog's.
    meta: { quiet: true, reads: true },
    mutationFn: async () => {
      const start = performance.now();
      const outcome = await calledAt(path, name, sent(shown, typed, fields === undefined));
      return { outcome, ms: Math.round(performance.now() - start) };
    },
  });
  const wrong = call.error instanceof NotOfKind ? call.error : undefined;
  return (
    <>
      <Form
        isWidthLimited
        onSubmit={(event) => {
          event.preventDefault();
          call.mutate();
        }}
      >
        {shown.length === 0 && <p className="portal-subtle">{gateways.noArguments}</p>}
        {shown.map((argument) => (
          <ArgumentField
            key={argument.name}
            argument={argument}
            value={typed[argument.name] ?? ''}
            change={(value) => setTyped((before) => ({ ...before, [argument.name]: value }))}
            fault={wrong?.argument === argument.name ? gateways.notOfKind[wrong.kind] : undefined}
          />
        ))}
        <div>
          <Button type="submit" isLoading={call.isPending} isDisabled={call.isPending}>
            {gateways.call}
          </Button>
        </div>
      </Form>
      {call.error !== null && wrong === undefined && (
        <Alert isInline component="h2" variant="danger" title={gateways.notCalled}>
          {call.error.message}
        </Alert>
      )}
      {call.data !== undefined && (
        <div key={call.submittedAt} ref={show}>
          <CallOutcome {...call.data} name={name} toolId={toolId} />
        </div>
      )}
    </>
  );
}

function sent(
  fields: readonly Argument[],
  typed: Readonly<Record<string, string>>,
  isWhole: boolean,
): Readonly<Record<string, unknown>> {
  const values = valuesOf(fields, typed);
  if (!isWhole) return values;
  const { [whole]: value = {} } = values;
  if (isObject(value)) return value;
  throw new NotOfKind(whole, 'json');
}
