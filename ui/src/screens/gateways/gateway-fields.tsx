import { ExpandableSection, FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useState } from 'react';
import { useTiers } from '../../parts/labels.tsx';
import { FieldHelp, faultAt, faultsIn, TextField } from '../../parts/text-field.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import type { GatewayWords } from './gateway-words.ts';

interface Given {
  readonly words: GatewayWords;
  readonly set: (name: keyof GatewayWords) => (value: string) => void;
  readonly error: Error | null;
}

/** How sensitive the tools of a gateway may be. */
export function TierField({ words, set, error }: Given) {
  const { gateways } = useTexts();
  return (
    <Choice
      id="gateway-tier"
      label={gateways.tier}
      help={gateways.tierHelp}
      value={words.maxSensitivityTier}
      change={set('maxSensitivityTier')}
      choices={useTiers()}
      fault={faultAt(error, '/maxSensitivityTier')}
    />
  );
}

/** What seldom needs a word: how the gateway is asked, how often, and what it tells APIs. Opens where something in it is wrong. */
export function RareFields(given: Given) {
  const { gateways } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const isWrong = faultsIn(given.error).some(({ pointer }) =>
    /^[/](auth|protocolVersion|checkIntervalSeconds|callerIdentity)/.test(pointer),
  );
  return (
    <ExpandableSection
      toggleText={gateways.rare}
      isExpanded={isOpen || isWrong}
      onToggle={(_, isNowOpen) => setOpen(isNowOpen)}
    >
      <div className="portal-stack">
        <AskingFields {...given} />
        <CallerFields {...given} />
      </div>
    </ExpandableSection>
  );
}

const intervals = [300, 3_600, 86_400] as const;

function AskingFields({ words, set, error }: Given) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const kept = Number(words.interval);
  const isOwn = words.interval !== '' && !intervals.some((seconds) => seconds === kept);
  const choices = new Map([
    ['', gateways.never],
    ...intervals.map((seconds): [string, string] => [String(seconds), gateways.intervals[seconds]]),
    ...(isOwn ? [[words.interval, gateways.seconds(number(kept))] as const] : []),
  ]);
  return (
    <>
      <TextField
        id="gateway-secret"
        label={gateways.secret}
        help={gateways.secretHelp}
        value={words.secret}
        change={set('secret')}
        fault={faultAt(error, '/auth/secret') ?? faultAt(error, '/auth')}
      />
      <Choice
        id="gateway-protocol"
        label={gateways.protocol}
        value={words.protocolVersion}
        change={set('protocolVersion')}
        choices={{ auto: gateways.anyProtocol, '2026-07-28': '2026-07-28', '2025-11-25': '2025-11-25' }}
        fault={faultAt(error, '/protocolVersion')}
      />
      <Choice
        id="gateway-interval"
        label={gateways.interval}
        help={gateways.intervalHelp}
        value={words.interval}
        change={set('interval')}
        choices={Object.fromEntries(choices)}
        fault={faultAt(error, '/checkIntervalSeconds')}
      />
    </>
  );
}

const fieldsOf = {
  credential: [],
  exchange: ['tokenEndpoint', 'clientId', 'clientSecret', 'audience', 'scope'],
  forward: ['audiences', 'origins'],
} as const;

function CallerFields({ words, set, error }: Given) {
  const { gateways } = useTexts();
  const fields = fieldsOf[words.caller as keyof typeof fieldsOf];
  return (
    <>
      <Choice
        id="gateway-caller"
        label={gateways.caller}
        help={gateways.callerHelp}
        value={words.caller}
        change={set('caller')}
        choices={gateways.callers}
        fault={faultAt(error, '/callerIdentity')}
      />
      {fields.map((name) => (
        <TextField
          key={name}
          id={`gateway-${name}`}
          isRequired={name !== 'scope'}
          label={gateways.identity[name]}
          help={gateways.identityHelp[name]}
          value={words[name]}
          change={set(name)}
          fault={faultsIn(error).find(({ pointer }) => pointer.startsWith(`/callerIdentity/${name}`))?.detail}
        />
      ))}
    </>
  );
}

interface ChoiceGiven {
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly choices: Readonly<Record<string, string>>;
  readonly fault: string | undefined;
}

function Choice({ id, label, help, value, change, choices, fault }: ChoiceGiven) {
  return (
    <FormGroup label={label} fieldId={id}>
      <FormSelect
        id={id}
        value={value}
        aria-describedby={`${id}-help`}
        onChange={(_, chosen) => change(chosen)}
      >
        {Object.entries(choices).map(([each, title]) => (
          <FormSelectOption key={each} value={each} label={title} />
        ))}
      </FormSelect>
      <FieldHelp id={id} help={help} fault={fault} />
    </FormGroup>
  );
}
