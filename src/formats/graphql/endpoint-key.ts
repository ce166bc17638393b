/** Path of the endpoint that a field of a root type is. */
export const endpointPath = (operation: 'query' | 'mutation', field: string): string =>
  `${operation}/${field}`;

/** Its endpoint key. */
export const endpointKey = (operation: 'query' | 'mutation', field: string): string =>
  `${endpointPath(operation, field)}@call`;
