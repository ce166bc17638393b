import { Post } from '@nestjs/common';
import { RuleBroken } from '../../kernel/errors.js';
import { writeRoute } from '../../platform/records/routes.js';
import { handle, type Receipt, receiptOf, UseCase } from '../../platform/use-cases/use-case.js';
import { versionOf } from '../../tools/public.js';
import { listedVersion, RecordVersionEvaluation } from '../../tools/shared.js';
import {
  versionEvaluationAnswer,
  versionEvaluationBody,
  type VersionEvaluationBody,
  versionEvaluationExample,
} from './version-evaluation.schemas.js';
import {
  type EvaluatedVersion,
  VersionEvaluations,
  type VersionFindings,
} from './version-evaluations.service.js';

interface EvaluationReceipt extends Receipt, VersionFindings {
  readonly toolVersion: string;
  readonly evaluation: EvaluatedVersion['evaluation'] & Pick<EvaluatedVersion, 'digest'>;
}

/** Asks the catalog with a version that is not approved yet, and keeps what that finds. */
export class EvaluateVersion extends UseCase<
  { readonly toolId: string; readonly version: string } & VersionEvaluationBody,
  EvaluationReceipt
> {}

export const evaluateVersionHandler = handle(
  EvaluateVersion,
  {
    prepare: (input, { caller }, evaluations: VersionEvaluations) => evaluations.run(caller, input, input),
    async load(sql, { toolId, version }, { visibility }, evaluated) {
      const { digest, name } = await versionOf(sql, visibility.hostId, toolId, version);
      if (digest === evaluated.digest) return { ...evaluated, version };
      const detail = `Version ${version} of ${name} has been written again meanwhile. Evaluate it once more.`;
      throw new RuleBroken('version_changed', detail);
    },
    decide: ({ digest, evaluation }, { toolId, version }, { visibility }) => [
      new RecordVersionEvaluation(visibility.hostId, toolId, {
        version,
        digest,
        evaluation: { ...evaluation },
      }),
    ],
    result: (outcomes, position, { version, digest, evaluation, findings }) => ({
      ...receiptOf(outcomes, position),
      ...{ toolVersion: version, evaluation: { ...evaluation, digest } },
      ...findings,
    }),
  },
  VersionEvaluations,
);

export const versionEvaluationRoutes = [
  writeRoute(
    [Post, 'tools/:toolId/versions/:version/evaluate'],
    {
      id: 'evaluateToolVersion',
      summary: 'Evaluate a version of a tool',
      description:
        'Asks the catalog as it is, and with this version in place of the one that agents are given: the prompts of `config`, of ' +
        'the data sets, and the own prompts of it and of all tools that it may take one from; where none of these asks for it, prompts made of ' +
        'its name and description. It passes where no ' +
        'measure loses more than the margin, no forbidden tool comes first, and the thresholds are met. What it finds is kept, ' +
        'unless it only explores, and holds for exactly this content against that version.',
      scope: 'catalog:write',
      confined: 'refused',
      params: { version: listedVersion.properties.version },
      body: versionEvaluationBody,
      answer: versionEvaluationAnswer,
      example: versionEvaluationExample,
    },
    EvaluateVersion,
  ),
];
