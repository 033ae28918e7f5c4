import { z } from 'zod'
import { get, post } from './call.ts'
import { Done } from './common.ts'

/** The ways in which a person can prove again that it is them. `sso`: at their company's identity provider. */
export const ProofMethod = z.enum(['password', 'code', 'recoveryCode', 'passkey', 'sso'])
export type ProofMethod = z.infer<typeof ProofMethod>

/** A person's own password, as they typed it. */
const ownPassword = z.string().min(1).max(200)

export const Proof = z.strictObject({ password: ownPassword })
export type Proof = z.infer<typeof Proof>

/** Calls by which people guard their own login. */
export const security = {
  waysToProve: get('/auth/proof', {
    needs: 'session',
    summary: 'Tells in which ways the person who calls can prove again that it is them',
    returns: z.object({ methods: z.array(ProofMethod) }),
  }),
  prove: post('/auth/proof', {
    needs: 'session',
    limit: 'password',
    auditOptional: true,
    summary: 'Proves again who calls: for 15 minutes this session may make the calls that ask for it',
    body: Proof,
    returns: Done,
  }),
}
