/** Degrees (or any plane); borders belong to the box. */
export interface Box {
  south: number
  north: number
  west: number
  east: number
}

const perNode = 8

/**
 * Boxes that are asked which of them meet another box: an R-tree that is packed once and never changed
 * (Leutenegger, Lopez and Edgington, 1997: Sort-Tile-Recursive). A question costs the logarithm of the number of boxes.
 */
export class BoxTree {
  // By level, leaves first: four numbers per box; `#order` has the places of the leaves.
  readonly #levels: Float64Array[] = []
  readonly #order: readonly number[]

  constructor(boxes: readonly Box[]) {
    this.#order = tiled(boxes)
    let level = new Float64Array(boxes.length * 4)
    this.#order.forEach((index, i) => {
      const { south, north, west, east } = boxes[index] as Box
      level.set([south, north, west, east], i * 4)
    })
    this.#levels.push(level)
    while (level.length > perNode * 4) {
      level = parentsOf(level)
      this.#levels.push(level)
    }
  }

  /** Calls `found` with the index of each box that meets the one asked for, in no particular order, until it answers true. */
  search(box: Box, found: (index: number) => boolean): boolean {
    const top = this.#levels.length - 1
    return this.#visit(top, 0, (this.#levels[top]?.length ?? 0) / 4, box, found)
  }

  #visit(level: number, from: number, to: number, box: Box, found: (index: number) => boolean): boolean {
    const sides = this.#levels[level] as Float64Array
    for (let i = from; i < to; i++) {
      const at = i * 4
      if (
        (sides[at] as number) > box.north ||
        (sides[at + 1] as number) < box.south ||
        (sides[at + 2] as number) > box.east ||
        (sides[at + 3] as number) < box.west
      )
        continue
      const below = (this.#levels[level - 1]?.length ?? 0) / 4
      const isOver =
        level === 0
          ? found(this.#order[i] as number)
          : this.#visit(level - 1, i * perNode, Math.min(below, (i + 1) * perNode), box, found)
      if (isOver) return true
    }
    return false
  }
}

/** The places of boxes in slices by longitude, each slice by latitude: neighbours in the list are neighbours on the plane. */
function tiled(boxes: readonly Box[]): number[] {
  const x = boxes.map(({ west, east }) => west + east)
  const y = boxes.map(({ south, north }) => south + north)
  const by = (keys: readonly number[]) => (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0)
  const order = boxes.map((_, index) => index).sort(by(x))
  const slice = perNode * Math.ceil(Math.sqrt(boxes.length / perNode))
  const slices: number[] = []
  for (let start = 0; start < order.length; start += slice)
    slices.push(...order.slice(start, start + slice).sort(by(y)))
  return slices
}

function parentsOf(level: Float64Array): Float64Array<ArrayBuffer> {
  const count = level.length / 4
  const parents = new Float64Array(Math.ceil(count / perNode) * 4)
  for (let i = 0; i < count; i++) {
    const at = Math.floor(i / perNode) * 4
    const isFirst = i % perNode === 0
    const join = (side: number, pick: (a: number, b: number) => number) => {
      const value = level[i * 4 + side] as number
      parents[at + side] = isFirst ? value : pick(parents[at + side] as number, value)
    }
    join(0, Math.min)
    join(1, Math.max)
    join(2, Math.min)
    join(3, Math.max)
  }
  return parents
}
