import {
  ActionGroup,
  Button,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Grid,
  GridItem,
  TextArea,
  TextInput,
} from '@patternfly/react-core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, given, ifMatch, type IfMatch, type Of } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { DraftButtons, DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { WritingForm } from '../../parts/for-writers.tsx';
import { useTiers } from '../../parts/labels.tsx';
import { SchemaView } from '../../parts/schema-tree.tsx';
import { useSettled } from '../../parts/settled.ts';
import { Answer } from '../../parts/states.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Config = Of<'SkillToolConfig'>;
type Link = Of<'SkillTool'>;

const levels = ['read', 'write', 'execute'] as const;

type Part = Partial<Pick<Link, 'accessLevel' | 'config' | 'range'>>;

/** How a link is read, taken away, and a part of it written over one version, with all else as it is there. */
export function useLink({ skillId, toolId }: Pick<Link, 'skillId' | 'toolId'>) {
  const hostId = useHost();
  const params = { path: { hostId, skillId, toolId } };
  const read = () => given(api.GET('/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}', { params }));
  const write = async (part: Part, header: Partial<IfMatch>, dryRun = false) => {
    const { accessLevel, config, range } = { ...(await read()), ...part };
    return given(
      api.PUT('/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}', {
        params: { ...params, header },
        body: { accessLevel, config, dryRun, ...(range !== null && range !== '' && { range }) },
      }),
    );
  };
  const remove = () => given(api.DELETE('/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}', { params }));
  return { read, write, remove, question: ['skill tool', hostId, skillId, toolId] };
}

/** How far a tool may go. Where others have written meanwhile, it is refused, and what they wrote is shown. */
export function Access({ link }: { readonly link: Link }) {
  const { skills, access } = useTexts();
  const mayWrite = useMay('catalog:write');
  const queries = useQueryClient();
  const { write } = useLink(link);
  const put = useMutation({
    mutationFn: (accessLevel: Link['accessLevel']) => write({ accessLevel }, ifMatch(link.aggregateVersion)),
    onError: () => queries.invalidateQueries({ queryKey: ['skill tools'] }),
  });
  return (
    <FormSelect
      className="portal-select"
      aria-label={skills.accessOf(link.toolName)}
      value={link.accessLevel}
      isDisabled={!mayWrite}
      onChange={(_, level) => {
        if (!put.isPending) put.mutate(level as Link['accessLevel']);
      }}
    >
      {levels.map((level) => (
        <FormSelectOption key={level} value={level} label={access[level]} />
      ))}
    </FormSelect>
  );
}

/** What is written of its versions. */
export function rangeOf({ range, aggregateVersion, updateUser }: Link) {
  return { range: range ?? '', aggregateVersion, updateUser };
}

interface Ranged {
  readonly link: Link;
  readonly draft: ReturnType<typeof useDraft<ReturnType<typeof rangeOf>, { readonly range: string }>>;
}

/** Which versions of a tool are taken: whom another range moves is said before it is saved. */
export function Range({ link, draft: { words, set, isEdited, isSaving, save } }: Ranged) {
  const { skills, records } = useTexts();
  const mayWrite = useMay('catalog:write');
  const { write, question } = useLink(link);
  const { range } = words;
  const asked = useSettled(range);
  const tried = useQuery({
    queryKey: ['range', ...question, asked, link.aggregateVersion],
    enabled: isEdited && asked === range,
    retry: false,
    queryFn: () => write({ range }, {}, true),
  });
  const agents = tried.data?.moves?.agents.map(({ name }) => name) ?? [];
  return (
    <>
      <TextInput
        aria-label={skills.rangeOf(link.toolName)}
        placeholder={skills.newest}
        value={range}
        isDisabled={!mayWrite}
        onChange={(_, text) => set('range')(text)}
      />
      {isEdited && tried.error !== null && <div className="portal-subtle">{tried.error.message}</div>}
      {isEdited && tried.data !== undefined && (
        <div className="portal-subtle">
          {agents.length === 0 ? skills.movesNobody : skills.moves(agents.join(', '))}
        </div>
      )}
      {isEdited && (
        <Button variant="link" size="sm" isDisabled={isSaving} onClick={() => save()}>
          {records.save}
        </Button>
      )}
    </>
  );
}

const blank = {
  description: '',
  notes: '',
  examples: '',
  priority: '',
  maxSensitivityTier: '',
  approvalWorkflow: '',
};
type Words = typeof blank;
const names = Object.keys(blank) as (keyof Words)[];

function savedOf({ config: { examples, priority, ...texts }, aggregateVersion, updateUser }: Link) {
  return {
    ...blank,
    ...texts,
    examples: (examples ?? []).join('\n'),
    priority: priority === undefined ? '' : String(priority),
    ...{ aggregateVersion, updateUser },
  };
}

const wordsOf = (saved: Words) => Object.fromEntries(names.map((name) => [name, saved[name]])) as Words;

/** What is empty is not said. */
function configOf({ examples, priority, ...texts }: Words): Config {
  const said = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  const prompts = examples.split('\n').map((line) => line.trim());
  return {
    ...(Object.fromEntries(said) as Config),
    ...(prompts.some((line) => line !== '') && { examples: prompts.filter((line) => line !== '') }),
    ...(priority.trim() !== '' && { priority: Number(priority) }),
  };
}

/** What a skill says of a tool for itself alone, beside the arguments that the tool takes. */
export function LinkSettings({ link }: { readonly link: Link }) {
  const { skills } = useTexts();
  return (
    <Grid hasGutter>
      <GridItem lg={6}>
        <Settings link={link} />
      </GridItem>
      <GridItem lg={6} className="portal-stack">
        <strong>{skills.takes}</strong>
        <Arguments toolId={link.toolId} title={skills.takes} />
      </GridItem>
    </Grid>
  );
}

function Settings({ link }: { readonly link: Link }) {
  const { skills } = useTexts();
  const tiers = useTiers();
  const { toolId } = link;
  const { read, write, question } = useLink(link);
  const draft = useDraft({
    ...{ saved: savedOf(link), wordsOf },
    write: (typed, over) => write({ config: configOf(typed) }, over),
  });
  const { words, set } = draft;
  const idOf = (name: string) => `${name}-${toolId}`;
  return (
    <WritingForm submit={() => draft.save()}>
      <DraftTrouble
        {...{ draft, question }}
        ask={async () => savedOf(await read())}
        textOf={(said) => names.map((name) => `${skills.settings[name]}: ${said[name]}`).join('\n')}
      />
      {(['description', 'notes', 'examples'] as const).map((name) => (
        <FormGroup key={name} label={skills.settings[name]} fieldId={idOf(name)}>
          <TextArea
            id={idOf(name)}
            autoResize
            placeholder={skills.settingHints[name]}
            value={words[name]}
            onChange={(_, text) => set(name)(text)}
          />
        </FormGroup>
      ))}
      <FormGroup label={skills.settings.priority} fieldId={idOf('priority')}>
        <TextInput
          id={idOf('priority')}
          type="number"
          className="portal-short"
          value={words.priority}
          onChange={(_, text) => set('priority')(text)}
        />
      </FormGroup>
      <FormGroup label={skills.settings.maxSensitivityTier} fieldId={idOf('tier')}>
        <FormSelect
          id={idOf('tier')}
          className="portal-short"
          value={words.maxSensitivityTier}
          onChange={(_, tier) => set('maxSensitivityTier')(tier)}
        >
          <FormSelectOption value="" label={skills.noLimit} />
          {Object.entries(tiers).map(([tier, title]) => (
            <FormSelectOption key={tier} value={tier} label={title} />
          ))}
        </FormSelect>
      </FormGroup>
      <FormGroup label={skills.settings.approvalWorkflow} fieldId={idOf('approval')}>
        <TextInput
          id={idOf('approval')}
          placeholder={skills.settingHints.approvalWorkflow}
          value={words.approvalWorkflow}
          onChange={(_, text) => set('approvalWorkflow')(text)}
        />
      </FormGroup>
      <ActionGroup>
        <DraftButtons draft={draft} />
      </ActionGroup>
    </WritingForm>
  );
}

function Arguments({ toolId, title }: { readonly toolId: string; readonly title: string }) {
  const hostId = useHost();
  const tool = useQuery({
    queryKey: ['tool', hostId, toolId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/tools/{toolId}', { params: { path: { hostId, toolId } } })),
  });
  return (
    <Answer of={tool}>{({ inputSchema }) => <SchemaView title={title} schema={inputSchema ?? {}} />}</Answer>
  );
}
