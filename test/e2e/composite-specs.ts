/** Specs of composite tools, as people write them. */

/** Over operations of GraphQL: three that change something, two of them after a read, and one that reads. */
export const issueSpec = (api: string, name: string, version = '1.0.0') => `version: ${version}
name: ${name}
description: Creates, renames and closes issues of a project. Use it when somebody reports a bug, or says that one is done.
inputSchema:
  type: object
  oneOf:
    - title: Create
      properties:
        operation: { const: create, description: Makes a new issue. }
        project_path: { type: string, description: Full path of the project. }
        title: { type: string, description: Title of the issue. }
      required: [operation, project_path, title]
      additionalProperties: false
    - title: Rename
      properties:
        operation: { const: rename, description: Gives an issue another title. }
        id: { type: string, description: Number of the issue. }
        title: { type: string, description: The new title. }
      required: [operation, id, title]
      additionalProperties: false
    - title: Close
      properties:
        operation: { const: close, description: Says that an issue is done. }
        id: { type: string, description: Number of the issue. }
      required: [operation, id]
      additionalProperties: false
    - title: Show
      properties:
        operation: { const: show, description: Shows an issue. }
        id: { type: string, description: Number of the issue. }
      required: [operation, id]
      additionalProperties: false
composite:
  by: operation
  alternatives:
    - when: create
      steps:
        - id: createIssue
          graphql:
            api: ${api}
            operation: |
              mutation ($input: CreateIssueInput!) { createIssue(input: $input) { issue { id title } errors } }
            variables: { input: { projectPath: $project_path, title: $title } }
    - when: rename
      steps:
        - id: issue
          graphql:
            api: ${api}
            operation: 'query ($id: ID!) { issue(id: $id) { id title } }'
            variables: { id: $id }
        - id: updateIssue
          graphql:
            api: ${api}
            operation: |
              mutation ($input: UpdateIssueInput!) { updateIssue(input: $input) { issue { id title } errors } }
            variables: { input: { id: $issue.id, title: $title } }
    - when: close
      steps:
        - id: issue
          needs: [labelIds.0]
          graphql:
            api: ${api}
            operation: 'query ($id: ID!) { issue(id: $id) { id labelIds } }'
            variables: { id: $id }
        - id: updateIssue
          graphql:
            api: ${api}
            operation: |
              mutation ($input: UpdateIssueInput!) { updateIssue(input: $input) { issue { id state } errors } }
            variables: { input: { id: $issue.id, title: $issue.labelIds.0, state: closed } }
    - when: show
      steps:
        - id: issue
          graphql:
            api: ${api}
            operation: 'query ($id: ID!) { issue(id: $id) { id title } }'
            variables: { id: $id }
`;

/** Over endpoints of HTTP. */
export const ticketSpec = (api: string, name: string) => `version: 1.0.0
name: ${name}
description: Looks at tickets and closes them. Use it when somebody names a ticket.
inputSchema:
  type: object
  properties:
    action: { enum: [look, close], description: What to do with it. }
    id: { type: string, description: Key of the ticket. }
  required: [action, id]
  additionalProperties: false
composite:
  by: action
  alternatives:
    - when: look
      steps:
        - { id: ticket, endpoint: { api: ${api}, endpoint: '/tickets/{id}@get', arguments: { id: $id } } }
    - when: close
      steps:
        - { id: ticket, endpoint: { api: ${api}, endpoint: '/tickets/{id}@get', arguments: { id: $id } } }
        - id: closed
          endpoint:
            api: ${api}
            endpoint: /tickets/{id}@put
            arguments: { id: $ticket.key, version: $ticket.version }
`;

/** Over APIs of both kinds. */
export const bothSpec = (
  api: { readonly issues: string; readonly tickets: string },
  name: string,
) => `version: 1.0.0
name: ${name}
description: Makes an issue of a ticket. Use it when somebody asks to pass a ticket on.
inputSchema:
  type: object
  properties:
    action: { enum: [report], description: What to do with it. }
    id: { type: string, description: Key of the ticket. }
  required: [action, id]
  additionalProperties: false
composite:
  by: action
  alternatives:
    - when: report
      steps:
        - { id: ticket, endpoint: { api: ${api.tickets}, endpoint: '/tickets/{id}@get', arguments: { id: $id } } }
        - id: createIssue
          graphql:
            api: ${api.issues}
            operation: |
              mutation ($input: CreateIssueInput!) { createIssue(input: $input) { issue { id title } errors } }
            variables: { input: { projectPath: a/b, title: $ticket.key } }
`;
