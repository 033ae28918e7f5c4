// The towns as columns: an object for each of 130,000 would take ten times the memory.

/** Lines of one text: as strings of their own they would take three times the memory. */
export interface Lines {
  text: string
  /** Where each line begins. */
  starts: Uint32Array
}

/** Towns as columns, the largest first; 130,000 of them in 9 MB. */
export interface Gazetteer {
  /** 'lagos\nkinshasa|kinshasa alt\n...' between line ends: names folded, an alternative behind '|'. */
  folded: Lines
  names: Lines
  /** ISO 3166-1 alpha-2, two letters each. */
  countries: string
  populations: Uint32Array
  lat: Float32Array
  lon: Float32Array
}

/** Towns as columns, ascending by `cell`: one square degree, counted from the south-west corner of the world. */
export interface Towns {
  cell: Uint32Array
  lat: Float32Array
  lon: Float32Array
  /** ISO 3166-1 alpha-2, two letters each. */
  countries: string
  /** Their lines in `names`, which has all towns of the gazetteer. */
  lines: Uint32Array
  names: Lines
}

/** A start of an installation keeps these for all others. */
export interface KeptTowns {
  gazetteer: Gazetteer
  towns: Towns
}

/** The towns as they are read from the package, the largest first. */
interface Columns {
  folded: string
  names: string
  countries: string
  populations: readonly number[]
  lat: readonly number[]
  lon: readonly number[]
}

/** People of a town that lends positions its name. */
const smallest = 5_000

/** So many lines of a text, with a line end before the first and after the last. */
function linesOf(joined: string, count: number): Lines {
  const text = `\n${joined}\n`
  const starts = new Uint32Array(count)
  for (let i = 0, from = 1; i < count; i++) {
    starts[i] = from
    from = text.indexOf('\n', from) + 1
  }
  return { text, starts }
}

/** A line of those; '' where there is none. */
export function lineAt({ text, starts }: Lines, i: number): string {
  const start = starts[i]
  return start === undefined ? '' : text.slice(start, text.indexOf('\n', start))
}

/** The country of a town, by its letters. */
export const countryAt = (countries: string, i: number): string => countries.slice(2 * i, 2 * i + 2)

export const gazetteerOf = (read: Columns): Gazetteer => ({
  folded: linesOf(read.folded, read.populations.length),
  names: linesOf(read.names, read.populations.length),
  countries: read.countries,
  populations: Uint32Array.from(read.populations),
  lat: Float32Array.from(read.lat),
  lon: Float32Array.from(read.lon),
})

/** The towns that lend positions their names. */
export function townsOf({
  names,
  lat,
  lon,
  populations,
  countries,
}: Pick<Gazetteer, 'names' | 'lat' | 'lon' | 'populations' | 'countries'>): Towns {
  const cell = Uint32Array.from(populations, (_, i) => cellOf(lat[i] ?? 0, lon[i] ?? 0))
  const order = [...populations.keys()]
    .filter((i) => (populations[i] ?? 0) >= smallest)
    .sort((a, b) => (cell[a] ?? 0) - (cell[b] ?? 0))
  return {
    cell: Uint32Array.from(order, (i) => cell[i] ?? 0),
    lat: Float32Array.from(order, (i) => lat[i] ?? 0),
    lon: Float32Array.from(order, (i) => lon[i] ?? 0),
    countries: order.map((i) => countryAt(countries, i)).join(''),
    lines: Uint32Array.from(order),
    names,
  }
}

/** The square degree of a position. */
export const cellOf = (lat: number, lon: number): number =>
  Math.min(Math.floor(lat + 90), 179) * 360 + (((Math.floor(lon + 180) % 360) + 360) % 360)
