import { AppError } from '../../platform/errors/app-error.ts'
import { atMost } from '../../platform/loop/at-most.ts'

/** Questions to the issuer of one company that are asked at once. An issuer that does not answer holds each for ten seconds. */
const maxAtOnce = 8
/** With so many asked or waiting nobody new is let in; and with twice as many nobody who was let in meanwhile. */
export const maxUnderWay = 40
const againS = 5

interface Turns {
  inTurn: ReturnType<typeof atMost>
  underWay: number
}
const ofCompany = new Map<number, Turns>()

/** Throws BUSY where many questions to a company's issuer wait already: before an answer is used up, so that the same one may come again. */
export function refuseCrowded(companyId: number, most = maxUnderWay): void {
  if ((ofCompany.get(companyId)?.underWay ?? 0) >= most) throw new AppError('BUSY', {}, againS)
}

/** Asks the issuer of a company in its turn: however many questions of a company wait, those of others do not. Throws BUSY. */
export async function inIssuerTurn<T>(companyId: number, ask: () => Promise<T>): Promise<T> {
  refuseCrowded(companyId, 2 * maxUnderWay)
  const turns = ofCompany.get(companyId) ?? { inTurn: atMost(maxAtOnce), underWay: 0 }
  ofCompany.set(companyId, turns)
  turns.underWay += 1
  try {
    return await turns.inTurn(ask)
  } finally {
    turns.underWay -= 1
    if (turns.underWay === 0) ofCompany.delete(companyId)
  }
}
