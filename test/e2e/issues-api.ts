import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema, GraphQLError } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';

/** The schema of a service for issues, as its owner publishes it. */
export const issuesSchema = `
  enum IssueState { opened closed }
  type Issue {
    id: ID! iid: Int! title: String! description: String webUrl: String! state: IssueState!
    confidential: Boolean! labelIds: [ID!]! createdAt: String! updatedAt: String!
  }
  type Query { issue(id: ID!): Issue }
  input CreateIssueInput {
    projectPath: ID! title: String! description: String confidential: Boolean labelIds: [ID!]
  }
  type CreateIssuePayload { issue: Issue errors: [String!]! }
  type Mutation { createIssue(input: CreateIssueInput!): CreateIssuePayload }
`;

interface NewIssue {
  readonly projectPath: string;
  readonly title: string;
}

/** That service: a real GraphQL server, which knows who asks by the bearer token. */
export class IssuesApi {
  /** Inputs that reached the service. */
  readonly created: NewIssue[] = [];
  /** Answers every request in place of the service. */
  lying: { readonly status: number; readonly body: string } | undefined;

  private constructor(
    readonly url: string,
    readonly stop: () => void,
  ) {}

  static async start(): Promise<IssuesApi> {
    const api: { self?: IssuesApi } = {};
    const rootValue = {
      createIssue: ({ input }: { readonly input: NewIssue }) => api.self?.create(input),
    };
    const handler = createHandler({ schema: buildSchema(issuesSchema), rootValue });
    const server = createServer((request, response) => {
      const { lying } = api.self ?? {};
      if (lying === undefined) void handler(request, response);
      else response.writeHead(lying.status, { 'content-type': 'application/json' }).end(lying.body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return (api.self = new IssuesApi(`http://127.0.0.1:${String(port)}/graphql`, () => {
      server.closeAllConnections();
      server.close();
    }));
  }

  private create(input: NewIssue): object | null {
    this.created.push({ ...input });
    if (input.projectPath === 'secret/project') throw new GraphQLError('You may not see this project');
    if (input.projectPath === 'no/answer') return null;
    if (input.title === '') return { issue: null, errors: ["Title can't be blank", 'Title is too short'] };
    const at = '2026-11-24T10:00:00Z';
    const issue = {
      ...{ id: 'gid://issue/1', iid: 1, webUrl: 'https://issues.example.com/1', state: 'opened' },
      ...{ confidential: false, labelIds: [], createdAt: at, updatedAt: at, description: null },
    };
    return { issue: { ...issue, ...input }, errors: [] };
  }
}
