import { setImmediate as turn } from 'node:timers/promises'
import type { BackTest, BackTestQuestion } from '@isotherm/contract/back-test.ts'
import { conditionsOf } from '../../domain/alarm-conditions.ts'
import type { Context } from '../../platform/context.ts'
import { type Cost, costOf, type Priced, priceList } from './back-test-cost.ts'
import { countShort, findFences, findTested } from './back-test-queries.ts'
import { firingsOf, type TestedFiring, type TestedRule } from './back-test-run.ts'
import { cursorOf, onlyOne, placeOf } from './back-test-slices.ts'
import { type TestedDevice, withHold } from './back-test-targets.ts'
import { checkAlarm } from './check-alarm.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** An answer comes after about this long; what is left is asked for with its cursor. */
const budgetMs = 1_500
/** How much is read at once, so that memory stays flat: days of devices. Fences look at every position. */
const devicesDays = { value: 750, fence: 150, noData: 300 } as const
/** Firings that are listed. */
const maxFirings = 200

/** An answer, or a part of one. Instants in ms. */
export type BackTestResult = Omit<BackTest, 'from' | 'to' | 'firings'> & {
  from: number
  to: number
  /** The newest ones. */
  firings: TestedFiring[]
}

/**
 * Computes what a rule would have done had it been saved some days ago, with its targets as they are now: what the engine would
 * have opened, and what telling of it would have cost. Reads only what the person may see. Throws VALIDATION, and
 * TOO_MANY_REQUESTS where the person asked a newer question meanwhile.
 */
export const backTest = (ctx: Context, question: BackTestQuestion): Promise<BackTestResult> =>
  onlyOne(ctx, async (goesOn) => {
    const started = performance.now()
    await checkAlarm(ctx, question)
    const { to, after } = placeOf(question, ctx.clock.now().getTime())
    const from = Math.floor((to - question.days * dayMs) / hourMs) * hourMs
    const rule: TestedRule = {
      conditions: conditionsOf(question.rule, await findFences(ctx, question.rule)),
      schedule: question.schedule,
      // A reading of this very instant belongs to the window.
      window: { from: new Date(from), to: new Date(to + 1) },
    }
    const devices = await findTested(ctx, question)
    const left = await withHold(
      ctx,
      devices.filter(({ id }) => id > after),
      question.rule,
    )
    const short = await countShort(ctx, devices, from, to)
    const tally = new Tally(question, await priceList(ctx, question))
    const slices = slicesOf(left, question)
    let done = devices.length - left.length
    let reading = read(ctx, slices[0], rule)
    for (const [index, slice] of slices.entries()) {
      const found = await reading
      goesOn()
      done += slice.length
      const isLast = done === devices.length
      const isOver = !isLast && performance.now() - started > budgetMs
      // The database goes on with the next slice while this one is counted.
      if (!isLast && !isOver) reading = read(ctx, slices[index + 1], rule)
      await tally.add(found)
      if (isOver) {
        const cursor = cursorOf(question, { to, after: slice.at(-1)?.id ?? after })
        return tally.answer({ from, to, devices: devices.length, short, progress: done / devices.length, cursor })
      }
      await turn()
    }
    return tally.answer({ from, to, devices: devices.length, short, progress: 1, cursor: null })
  })

/** Begun before it is waited for: a failure meanwhile must not end the process. */
function read(ctx: Context, slice: readonly TestedDevice[] | undefined, rule: TestedRule): Promise<TestedFiring[]> {
  const reading = firingsOf(ctx, slice ?? [], rule)
  reading.catch(() => {})
  return reading
}

function slicesOf(devices: readonly TestedDevice[], { rule, days }: BackTestQuestion): TestedDevice[][] {
  const size = Math.max(1, Math.floor(devicesDays[rule.kind] / days))
  return Array.from({ length: Math.ceil(devices.length / size) }, (_, i) => devices.slice(i * size, (i + 1) * size))
}

/** Adds up what was found, keeping the newest firings. */
class Tally {
  #count = 0
  #newest: TestedFiring[] = []
  readonly #cost: Cost = { smsUnits: 0, chatUnits: 0, mails: 0 }
  readonly #question: BackTestQuestion
  readonly #prices: Priced
  constructor(question: BackTestQuestion, prices: Priced) {
    this.#question = question
    this.#prices = prices
  }

  async add(found: readonly TestedFiring[]): Promise<void> {
    this.#count += found.length
    for (const firings of Map.groupBy(found, ({ device }) => device.id).values()) {
      const cost = await costOf(this.#question, this.#prices, firings)
      this.#cost.smsUnits += cost.smsUnits
      this.#cost.chatUnits += cost.chatUnits
      this.#cost.mails += cost.mails
    }
    this.#newest = [...this.#newest, ...found]
      .sort((a, b) => b.firing.openedAt - a.firing.openedAt)
      .slice(0, maxFirings)
  }

  answer(progress: Pick<BackTestResult, 'from' | 'to' | 'devices' | 'short' | 'progress' | 'cursor'>): BackTestResult {
    return { ...progress, count: this.#count, firings: this.#newest, ...this.#cost }
  }
}
