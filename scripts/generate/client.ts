export const clientModule =
  (): string => `import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './types.js';

export type ContractClient = Client<paths>;

/** A client of the contract's paths; \`baseUrl\` may carry a path of its own. */
export const createContractClient = (options: ClientOptions): ContractClient => createClient<paths>(options);
`;
