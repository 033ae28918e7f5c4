import { type Load, noteLongWork, restOf } from './machine.ts'

const turnMs = 2

/** After a piece, other work that is there has so many times as long. */
const timesForOthers = 2

/**
 * After a piece, long work rests for so many times as long where others want the event loop or the processors: else PostgreSQL and
 * the collector of garbage have to wait for it, and with them everybody's answers.
 */
const timesAtRest: Record<Load, number> = { little: 0, others: 4, full: 9 }

/** A round of the event loop that is over so soon had nothing else to do. */
const idleRoundMs = 0.1

/** Long work that waits to go on. */
const waiting: (() => void)[] = []

let isUnderWay = false
let roundBegan = 0
let othersMs = 0

function beginRound(round: () => void) {
  roundBegan = performance.now()
  setImmediate(round)
}

function letOneGoOn() {
  const tookMs = performance.now() - roundBegan
  othersMs -= tookMs
  if (othersMs > 0 && tookMs > idleRoundMs) return beginRound(letOneGoOn)
  roundBegan = performance.now()
  waiting.shift()?.()
  setImmediate(afterPiece)
}

function afterPiece() {
  const tookMs = performance.now() - roundBegan
  noteLongWork(tookMs)
  const restMs = restOf(tookMs, timesAtRest)
  if (restMs > 0) return void setTimeout(goOn, restMs)
  othersMs = tookMs * timesForOthers
  goOn()
}

function goOn() {
  isUnderWay = waiting.length > 0
  if (isUnderWay) beginRound(letOneGoOn)
}

/**
 * Long work in turns: between its pieces, where `isOver`, it awaits `next`, and everything else that the process has to do goes
 * first. Nothing may hold the event loop for more than 100 ms; a piece should take a few. However much long work there is, one
 * piece of it is done between two looks at what is new: ten reports at once hold up an answer no longer than one.
 */
export class Turns {
  #began = performance.now()
  readonly #isShort: boolean

  /** `isShort`: work that is soon done, and that somebody waits for. It goes on in the next round, before all long work. */
  constructor({ isShort = false } = {}) {
    this.#isShort = isShort
  }

  get isOver(): boolean {
    return performance.now() - this.#began > turnMs
  }

  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#isShort) return void setImmediate(resolve)
      waiting.push(resolve)
      if (isUnderWay) return
      isUnderWay = true
      othersMs = 0
      beginRound(letOneGoOn)
    })
    this.#began = performance.now()
  }
}

/** The items of a list in slices, each in a turn of its own where the ones before took long. */
export async function* inTurns<T>(items: Iterable<T>, size: number, turns = new Turns()): AsyncGenerator<T[]> {
  let slice: T[] = []
  for (const item of items) {
    slice.push(item)
    if (slice.length < size) continue
    yield slice
    slice = []
    if (turns.isOver) await turns.next()
  }
  if (slice.length > 0) yield slice
  if (turns.isOver) await turns.next()
}

/** Runs work that yields between its pieces to its end, in turns. */
export async function workInTurns<T>(work: Generator<undefined, T>): Promise<T> {
  const turns = new Turns()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (turns.isOver) await turns.next()
  }
}
