import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
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
  input UpdateIssueInput { id: ID! title: String state: IssueState }
  type UpdateIssuePayload { issue: Issue errors: [String!]! }
  type Mutation {
    createIssue(input: CreateIssueInput!): CreateIssuePayload
    updateIssue(input: UpdateIssueInput!): UpdateIssuePayload
  }
`;

const at = '2026-11-24T10:00:00Z';
const issue = {
  ...{ id: 'gid://issue/1', iid: 1, webUrl: 'https://issues.example.com/1', state: 'opened' },
  ...{ confidential: false, labelIds: [], createdAt: at, updatedAt: at, description: null },
};

interface NewIssue {
  readonly projectPath: string;
  readonly title: string;
}

interface Change {
  readonly id: string;
  readonly title?: string;
}

/** That service: a real GraphQL server, which knows who asks by the bearer token. */
export class IssuesApi {
  /** Inputs that reached the service. */
  readonly created: NewIssue[] = [];
  /** Changes that reached the service, and ids of issues that it was asked for. */
  readonly updated: Change[] = [];
  readonly read: string[] = [];
  /** Answers every request in place of the service, or every one that changes nothing. */
  lying:
    | { readonly status: number; readonly body: string; readonly type?: string; readonly toReads?: true }
    | undefined;
  /** Whether requests are taken and never answered. */
  silent = false;
  /** Headers of the last request. */
  asked: IncomingHttpHeaders = {};

  private constructor(
    readonly url: string,
    readonly stop: () => void,
  ) {}

  static async start(): Promise<IssuesApi> {
    const api: { self?: IssuesApi } = {};
    const rootValue = {
      createIssue: ({ input }: { readonly input: NewIssue }) => api.self?.create(input),
      updateIssue: ({ input }: { readonly input: Change }) => api.self?.update(input),
      issue: ({ id }: { readonly id: string }) => api.self?.find(id),
    };
    const handler = createHandler({ schema: buildSchema(issuesSchema), rootValue });
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { lying, silent = false } = api.self ?? {};
      if (api.self !== undefined) api.self.asked = request.headers;
      if (silent) return;
      const body = lying?.toReads === true ? await text(request) : '';
      const again = { method: request.method, url: request.url, headers: request.headers };
      if (lying === undefined) await handler(request, response);
      else if (body.includes('mutation'))
        await handler(Object.assign(Readable.from([body]), again) as unknown as IncomingMessage, response);
      else
        response
          .writeHead(lying.status, { 'content-type': lying.type ?? 'application/json' })
          .end(lying.body);
    };
    const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return (api.self = new IssuesApi(`http://127.0.0.1:${String(port)}/graphql`, () => {
      server.closeAllConnections();
      server.close();
    }));
  }

  private find(id: string): object | null {
    this.read.push(id);
    if (id === 'secret') throw new GraphQLError('You may not see this issue');
    return id === 'nobody' ? null : { ...issue, id: `gid://issue/${id}`, title: 'As it was' };
  }

  private update(input: Change): object {
    this.updated.push({ ...input });
    if (input.title === 'for ever') return new Promise(() => undefined);
    if (input.title === '') return { issue: null, errors: ["Title can't be blank"] };
    if (input.title === 'forbidden') throw new GraphQLError('You may not change this issue');
    return { issue: { ...issue, ...input }, errors: [] };
  }

  create(input: NewIssue): object | null {
    this.created.push({ ...input });
    if (input.projectPath === 'secret/project') throw new GraphQLError('You may not see this project');
    if (input.projectPath === 'no/answer') return null;
    if (input.title === '') return { issue: null, errors: ["Title can't be blank", 'Title is too short'] };
    return { issue: { ...issue, ...input }, errors: [] };
  }
}
