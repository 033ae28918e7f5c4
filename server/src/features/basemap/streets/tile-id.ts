/** The number of a tile in PMTiles: all tiles of lower zooms, and then its place on the Hilbert curve through its zoom. */
export function tileIdOf(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3
  let [column, row] = [x, y]
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const right = Math.floor(column / side) % 2
    const below = Math.floor(row / side) % 2
    id += side * side * ((3 * right) ^ below)
    if (below === 1) continue
    if (right === 1) [column, row] = [side - 1 - (column % side), side - 1 - (row % side)]
    ;[column, row] = [row, column]
  }
  return id
}
