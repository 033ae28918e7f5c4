import type { proofs } from '@isotherm/contract/proofs.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { checkProof, type FactsSource, proveRecord } from './proofs.ts'

/** `facts`: what is to be said of a record, which another feature knows. The app puts it in. */
export const proofHandlers = (facts: FactsSource): Handlers<typeof proofs> => ({
  ofRecord: (ctx, { params }) => proveRecord(ctx, facts, params.id),
  async keys({ services }) {
    const { known } = await signingKeys(services.config.dataDir)
    return {
      keys: known.map(({ id, publicKey }) => ({
        ...{ kty: 'OKP' as const, crv: 'Ed25519' as const, alg: 'EdDSA' as const, use: 'sig' as const },
        ...{ kid: id, x: publicKey },
      })),
    }
  },
  check: ({ services }, { body }) => checkProof(services.config.dataDir, body.jws),
})
