/** The part of oidc-provider, which has no types of its own, that the peer uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Account {
    accountId: string
    claims(): Promise<object>
  }
  // biome-ignore lint/style/noDefaultExport: as the package has it
  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: object[]
        findAccount(context: unknown, id: string): Promise<Account>
        claims: Record<string, string[]>
        cookies: { keys: string[] }
        features: object
      },
    )
    Client: { prototype: { redirectUriAllowed(uri: string): boolean } }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
