import { Post } from '@nestjs/common';
import { apiVersionExampleId, endpointExampleId } from '../../endpoints/shared.js';
import { resultReply } from '../../platform/http/replies.js';
import { writeRoute } from '../../platform/records/routes.js';
import { publicationAnswer } from '../tool/tool-answers.schemas.js';
import { publication, toolReceiptExample } from '../tool/tool.schemas.js';
import { PublishTools } from './publication.batch.js';

export const publicationRoute = writeRoute(
  [Post, 'tools/publish'],
  {
    id: 'publishTools',
    summary: 'Publish endpoints as tools',
    description:
      'What is published already stays as it is. An endpoint whose name another active tool of its environment ' +
      'has is reported, or gets the API’s id in front with `onConflict: prefix`; all others are published.',
    scope: 'catalog:write',
    batch: true,
    body: publication,
    answer: publicationAnswer,
    example: {
      body: { filter: { apiVersionId: apiVersionExampleId } },
      answer: {
        ...{ published: 1, unchanged: 0, conflicts: [], leftOut: [], withheld: [], position: 12 },
        items: [{ ...toolReceiptExample, endpointId: endpointExampleId }],
      },
    },
  },
  PublishTools,
  resultReply,
);
