import { IssuerFacts } from '../../platform/oidc/describe-issuer.ts'
import type { OidcClient } from '../../platform/oidc/exchange-code.ts'
import { type SealedPlace, seal, unseal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import type { ConnectionRow } from './connection-queries.ts'

interface Client {
  companyId: number
  issuer: string
  clientId: string
}

// A secret opens for its own issuer and client only: no change of these sends it elsewhere.
const placeOf = ({ companyId, issuer, clientId }: Client): SealedPlace => ({
  ...{ column: 'sso_connections.client_secret', companyId, id: JSON.stringify([issuer, clientId]) },
})

export const sealClientSecret = (secret: Buffer, client: Client, clientSecret: string): Buffer =>
  seal(secret, placeOf(client), clientSecret)

/** The page that the issuer of a company sends browsers back to: no other company's does. */
export const redirectUrlOf = ({ publicUrl }: Pick<Services['config'], 'publicUrl'>, companyId: number): string =>
  `${publicUrl}/login/sso/${companyId}`

export const factsOf = ({ facts }: Pick<ConnectionRow, 'facts'>): IssuerFacts => IssuerFacts.parse(facts)

/** The company as its issuer knows it; null: the secret was sealed by another installation, and is to be entered again. */
export function oidcClientOf(
  { config, secret }: Pick<Services, 'config' | 'secret'>,
  row: ConnectionRow,
): OidcClient | null {
  const { company_id: companyId, issuer, client_id: clientId } = row
  const clientSecret = unseal(secret, placeOf({ companyId, issuer, clientId }), row.client_secret)
  if (clientSecret === null) return null
  const redirectUrl = redirectUrlOf(config, companyId)
  return { facts: factsOf(row), clientId, clientSecret, redirectUrl, allowPrivate: config.webhookAllowPrivate }
}
