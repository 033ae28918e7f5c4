// @vitest-environment page
import type { RecordDetails, RecordSignature } from '@isotherm/contract/records.ts'
import { afterEach, expect, test } from 'vitest'
import { find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { SignaturesCard } from './signatures-card.tsx'

afterEach(leave)

const signatureOf = (over: Partial<RecordSignature>) =>
  ({
    ...{ id: '1', meaning: 'reviewed', signerName: 'Ada Obiora', signedAt: '2026-11-20T12:00:00.000Z' },
    ...{ reason: 'All in range', contentSha256: 'a'.repeat(64), changed: [] },
    ...over,
  }) as unknown as RecordSignature

test('the meaning of a void signature is struck, as its signer is; that of a good one is not', async () => {
  logInAs('admin')
  serve(() => ({ payload: {} }))
  const signatures = [signatureOf({ changed: ['readings'] as never }), signatureOf({ id: '2', meaning: 'approved' })]
  const record = { id: '7', state: 'ended', hiddenDevices: 0, contentSha256: null, signatures } as unknown
  await show(<SignaturesCard record={record as RecordDetails} mayEdit={false} />, { texts: ['records'] })
  const isStruck = async (words: RegExp) => (await find('li [data-tone]', words)).closest('[class*=struck]') !== null
  expect([await isStruck(/Reviewed/), await isStruck(/Approved/)]).toEqual([true, false])
})
