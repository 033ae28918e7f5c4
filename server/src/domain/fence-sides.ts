import type { Fence } from './alarm-conditions.ts'
import { boxOfWay, type FenceSide, type FenceStep, type Fix, stepFence } from './alarm-fence.ts'
import type { FenceIndex } from './fence-index.ts'

/** The effect of a fix on a fence that its way came near, or that the device was not certainly out of. */
export interface JudgedStep extends FenceStep {
  /** When the fix was measured that the side before was known by; 0 where there was none. */
  seenAt: number
}

/**
 * On which side of each fence, by its key, a device is. The fences that it is certainly out of by its newest fix share one side,
 * which moves on with the fixes: so a fix costs what the fences near it cost, however many others there are.
 */
export class FenceSides implements Iterable<[string, FenceSide]> {
  readonly #sides = new Map<string, FenceSide>()
  readonly #away: FenceSide = { side: 'out', fix: null }
  /** To be judged by the next fix, wherever that is. */
  readonly #near = new Set<string>()
  readonly #changed = new Set<string>()
  /** The lists of fences that every one of was judged at least once. */
  #indexes: readonly FenceIndex[] = []

  get(key: string): FenceSide | undefined {
    return this.#sides.get(key)
  }

  has(key: string): boolean {
    return this.#sides.has(key)
  }

  set(key: string, side: FenceSide): void {
    if (this.#sides.get(key)?.side !== side.side) this.#changed.add(key)
    this.#sides.set(key, side)
    if (side === this.#away) this.#near.delete(key)
    else this.#near.add(key)
  }

  [Symbol.iterator](): Iterator<[string, FenceSide]> {
    return this.#sides.entries()
  }

  /** The newest fix by which any side is known. */
  get anyFix(): Fix | null {
    for (const { fix } of this.#sides.values()) if (fix) return fix
    return null
  }

  /** The fences whose side is another since this was asked last. */
  takeChanged(): [string, FenceSide][] {
    const changed = [...this.#changed].flatMap((key): [string, FenceSide][] => {
      const side = this.#sides.get(key)
      return side ? [[key, side]] : []
    })
    this.#changed.clear()
    return changed
  }

  /**
   * Takes the next fix, for all fences of some lists (of one key in several, the first list's). Gives what it says of those it has
   * something to say of; of all others the device is out still, by this fix.
   */
  step(indexes: readonly FenceIndex[], fix: Fix, holdMs: number): Map<string, JudgedStep> {
    const steps = new Map<string, JudgedStep>()
    const judge = (fence: Fence) => {
      const { key, area } = fence
      if (steps.has(key) || fenceOf(indexes, key) !== fence) return
      const before = this.#sides.get(key)
      const made = stepFence(before, area, fix, holdMs)
      steps.set(key, { ...made, seenAt: before?.fix?.at ?? 0 })
    }
    if (!this.#knows(indexes)) this.#begin(indexes)
    const way = this.#away.fix && boxOfWay(this.#away.fix, fix)
    for (const index of indexes) index.search(way, judge)
    if (way)
      for (const key of this.#near) {
        const fence = fenceOf(indexes, key)
        if (fence) judge(fence)
      }
    for (const [key, step] of steps) this.#keep(key, step, fix)
    this.#away.fix = fix
    return steps
  }

  #keep(key: string, step: JudgedStep, fix: Fix) {
    const { side } = step
    if (side.side === 'out' && side.fix === fix) this.set(key, this.#away)
    // An uncertain fix leaves the side as it was, by the fix of before.
    else if (side === this.#away) {
      step.side = { ...side }
      this.set(key, step.side)
    } else if (side.fix) this.set(key, side)
    else this.#near.add(key)
  }

  /** Lists that are new: all fences are judged by the next fix, and those that are in none of them stay as they are. */
  #begin(indexes: readonly FenceIndex[]) {
    for (const [key, side] of this.#sides) if (side === this.#away) this.#sides.set(key, { ...side })
    this.#away.fix = null
    this.#near.clear()
    this.#indexes = indexes
  }

  #knows(indexes: readonly FenceIndex[]): boolean {
    return indexes.length === this.#indexes.length && indexes.every((index, i) => index === this.#indexes[i])
  }
}

function fenceOf(indexes: readonly FenceIndex[], key: string): Fence | undefined {
  for (const index of indexes) {
    const fence = index.get(key)
    if (fence) return fence
  }
  return undefined
}
