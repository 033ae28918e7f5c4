import type { Fence } from './alarm-conditions.ts'
import { type Box, BoxTree } from './box-tree.ts'
import { boxOf } from './fence-shape.ts'

/** Fences by the box around them: made once for a list of them. Of several with one key the first counts. */
export class FenceIndex {
  readonly fences: readonly Fence[]
  readonly #byKey = new Map<string, Fence>()
  readonly #tree: BoxTree

  constructor(fences: Iterable<Fence>) {
    for (const fence of fences) if (!this.#byKey.has(fence.key)) this.#byKey.set(fence.key, fence)
    this.fences = [...this.#byKey.values()]
    this.#tree = new BoxTree(this.fences.map(({ area }) => boxOf(area)))
  }

  get(key: string): Fence | undefined {
    return this.#byKey.get(key)
  }

  /** Calls `found` with each fence whose box meets the one asked for; with every fence where none is asked for. */
  search(box: Box | null, found: (fence: Fence) => void): void {
    if (!box) for (const fence of this.fences) found(fence)
    else
      this.#tree.search(box, (index) => {
        found(this.fences[index] as Fence)
        return false
      })
  }
}
