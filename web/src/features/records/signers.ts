import { type RecordDetails, records } from '@isotherm/contract/records.ts'
import { call } from '../../lib/call.ts'

type Signed = Pick<RecordDetails, 'signatures'>

/** An addition as far as it decides which signatures cover it. */
interface Covered {
  at: string
  isAddendum: boolean
}

/**
 * The people whose signatures a new part of the record would make void, or the removal of an addition: all that stand cover a part, and those that
 * were given later cover an addendum.
 */
export const signersOf = ({ signatures }: Signed, removed?: Covered): string[] => [
  ...new Set(
    signatures
      .filter(({ changed, signedAt }) => changed.length === 0 && (!removed?.isAddendum || signedAt >= removed.at))
      .map(({ signerName }) => signerName),
  ),
]

export interface SeenSigners {
  signers: string[]
  /** The server refuses what would void a signature that came after these. */
  seenSignatures: number
}

/** The same, asked of the server now: a screen may not know of a signature that was given a moment ago. Toasts and throws what goes wrong. */
export async function signersNow(recordId: string, removed?: Covered): Promise<SeenSigners> {
  const record = await call(records.one, { params: { id: recordId } }, { toastAll: true })
  return { signers: signersOf(record, removed), seenSignatures: record.signatures.length }
}
