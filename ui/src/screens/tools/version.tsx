import { GradeLabel, ReviewLabel } from '../../parts/labels.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useAddressed } from '../../parts/search-state.ts';
import { Answer } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Changes } from './review/changes.tsx';
import { Decide } from './review/decide.tsx';
import { Effects } from './review/effects.tsx';
import { Neighbours } from './review/neighbours.tsx';
import { titleOf, useReport, type Report } from './review/report.ts';
import './tools.css';

/** One version of a tool in review: what it changes, whom it reaches, and the decision. */
export default function VersionScreen() {
  const { desk, review } = useTexts();
  const toolId = useAddressed('toolId');
  const version = useAddressed('version');
  const report = useReport(toolId, version);
  const { data } = report;
  return (
    <Screen
      title={data === undefined ? review.of(version) : titleOf(data)}
      above={{ to: '/desk', title: desk.title }}
      badges={data && <Badges report={data} />}
      lead={data && <To to={`/tools/${toolId}`}>{review.toTool(data.name)}</To>}
      actions={<Neighbours toolId={toolId} version={version} />}
    >
      <Answer of={report}>
        {(found) => (
          <div className="portal-review">
            <Changes report={found} />
            <Effects report={found} />
            <Decide key={`${toolId} ${version}`} report={found} />
          </div>
        )}
      </Answer>
    </Screen>
  );
}

function Badges({ report: { state, grade, against } }: { readonly report: Report }) {
  const { review } = useTexts();
  return (
    <>
      {against !== null && <GradeLabel grade={grade}>{review.strikes[grade]}</GradeLabel>}
      <ReviewLabel state={state} />
    </>
  );
}
