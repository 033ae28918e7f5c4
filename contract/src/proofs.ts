import { z } from 'zod'
import { get, post } from './call.ts'
import { Id, Instant } from './common.ts'
import { SignatureMeaning } from './records.ts'
import { MeasureStats, StatsPeriod, Verdict } from './stats.ts'

const Figures = z.object({
  verdict: Verdict,
  count: z.number().int(),
  coveragePct: z.number().nullable(),
  /** Degrees Celsius or percent. */
  min: z.number().nullable(),
  max: z.number().nullable(),
  average: z.number().nullable(),
  /** Mean kinetic temperature in degrees Celsius; null for humidity, and where it says nothing. */
  mktC: z.number().nullable(),
  aboveMs: MeasureStats.shape.aboveMs,
  belowMs: MeasureStats.shape.belowMs,
  excursions: z.number().int(),
})
export type Figures = z.infer<typeof Figures>

/** The facts of a record that is over, as they are signed. */
export const RecordStatement = z.object({
  type: z.literal('isotherm-record-v1'),
  /** The address of the installation that signs. */
  issuer: z.string(),
  issuedAt: Instant,
  company: z.object({ id: Id, name: z.string() }),
  record: z.object({
    id: Id,
    name: z.string(),
    lot: z.string().nullable(),
    startAt: Instant,
    endAt: Instant,
  }),
  verdict: Verdict,
  devices: z.array(
    z.object({
      id: Id,
      name: z.string(),
      hardware: z.array(z.string()),
      /** The part of the record that counts of it, where that is not all. */
      period: StatsPeriod.optional(),
      temperature: Figures,
      humidity: Figures,
    }),
  ),
  /** The hash of the whole content, as people sign it. */
  contentSha256: z.string(),
  signatures: z.array(
    z.object({
      meaning: SignatureMeaning,
      signerName: z.string(),
      signedAt: Instant,
      sha256: z.string(),
      /** False: the record has changed since. */
      stands: z.boolean(),
    }),
  ),
})
export type RecordStatement = z.infer<typeof RecordStatement>

/** A statement with its proof: a JWS (RFC 7515, compact, EdDSA by RFC 8037) whose payload is the statement as JSON. */
export const RecordProof = z.object({ statement: RecordStatement, keyId: z.string(), jws: z.string() })
export type RecordProof = z.infer<typeof RecordProof>

const maxProofChars = 600_000

export const proofFaults = ['malformed', 'unknownKey', 'signature'] as const
export const CheckedProof = z.object({
  isGenuine: z.boolean(),
  /** Null where it is genuine. */
  fault: z.enum(proofFaults).nullable(),
  keyId: z.string().nullable(),
  /** Null where it is not genuine. */
  statement: RecordStatement.nullable(),
})
export type CheckedProof = z.infer<typeof CheckedProof>

export const proofs = {
  ofRecord: get('/enterprise/record/:id/proof', {
    needs: 'devices.export',
    hasRules: true,
    summary: 'The facts of a record that is over, signed so that anyone can check them with the published keys',
    returns: RecordProof,
  }),
  keys: get('/proofs/keys', {
    needs: 'public',
    summary: 'The public keys of proofs as a JSON Web Key Set (RFC 7517), oldest first',
    returns: z.object({
      keys: z.array(
        z.object({
          kty: z.literal('OKP'),
          crv: z.literal('Ed25519'),
          alg: z.literal('EdDSA'),
          use: z.literal('sig'),
          kid: z.string(),
          x: z.string(),
        }),
      ),
    }),
  }),
  check: post('/proofs/check', {
    needs: 'public',
    limit: 'token',
    readOnly: true,
    maxBodyBytes: maxProofChars + 1_000,
    summary: 'Tells whether this installation signed a proof, and what it says',
    body: z.strictObject({ jws: z.string().trim().min(1).max(maxProofChars) }),
    returns: CheckedProof,
  }),
}
