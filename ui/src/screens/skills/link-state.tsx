import { List, ListItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { ActiveLabel } from '../../parts/labels.tsx';
import { Mend, useReasons } from '../../parts/reasons.tsx';

type Problems = Of<'AilingSkill'>['tools'][number]['problems'];

/** What keeps each tool of a skill from being called, as its gateways were last checked; nothing for who may not ask. */
export function useProblems(skillId: string): ReadonlyMap<string, Problems> {
  const hostId = useHost();
  const ailing = useQuery({
    queryKey: ['problems of a skill', hostId, skillId],
    enabled: useMay('catalog:admin'),
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/diagnostics/skills', {
          params: { path: { hostId }, query: { skillId } },
        }),
      ),
  });
  const tools = ailing.data?.items.flatMap((skill) => skill.tools) ?? [];
  return new Map(tools.map(({ toolId, problems }) => [toolId, problems]));
}

/** Whether a linked tool is on, and what keeps it from being called all the same. */
export function LinkState({
  link: { toolId, skillId, toolActive },
  problems,
}: {
  readonly link: Of<'SkillTool'>;
  readonly problems: Problems;
}) {
  const wordsOf = useReasons();
  return (
    <>
      <ActiveLabel isActive={toolActive} />
      {problems.length > 0 && (
        <List isPlain>
          {problems.map(({ code, gatewayId = '', version = '' }) => (
            <ListItem key={`${code} ${gatewayId} ${version}`}>
              {wordsOf(code)}. <Mend reason={code} skillId={skillId} toolId={toolId} gatewayId={gatewayId} />
            </ListItem>
          ))}
        </List>
      )}
    </>
  );
}
